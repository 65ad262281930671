#if !Tool
  #error("the tool swexpr needs the traits Tool and Store of the package swexpr")
#endif
