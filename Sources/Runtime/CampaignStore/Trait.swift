#if !Store
  #error("the product CampaignStore needs the trait Store of the package swexpr")
#endif
