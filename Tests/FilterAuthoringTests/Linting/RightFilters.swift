/// Filters that are right, as people write them: nothing must be said about any of them.
enum RightFilters {
  /// Right in both dialects.
  static let common = lines(
    #"""
    user.age >= 18
    user.age >= 18 && user.age < 65
    user.plan == "pro"
    user.plan == "pro" || user.plan == "team"
    !(user.plan == "free")
    user.plan in ["pro", "team", "enterprise"]
    !(user.plan in ["pro", "team"])
    user.country == "SE"
    user.country in ["SE", "NO", "DK", "FI"]
    user.isLoggedIn
    !user.isLoggedIn
    user.isLoggedIn == true
    user.isLoggedIn == false
    user.seed >= 50
    user.seed >= 10 && user.seed < 20
    user.seed == 0
    user.seed == 99
    user.seed <= 98
    user.seed > 0
    user.seed % 10 < 3
    device.platform == "Android"
    device.platform == "macOS"
    device.platform != "iOS"
    device.interfaceType == "iphone" && device.deviceModel.startsWith("iPad")
    device.localDate >= "2026-05-01" && device.localDate < "2026-06-01" && device.localDate.endsWith("-31")
    device.utcDate.startsWith("2028-02") && device.utcDate.endsWith("-29")
    device.appVersion.startsWith("4.") && device.appVersionPadded >= "004.007.000"
    device.isFirstAppOpen && device.minutesSinceInstall < 30
    device.ipContinent in ["Asia", "Africa"] && device.ipCountry == "Egypt"
    device.deviceCurrencyCode in ["CAD", "AUD"] && device.deviceCurrencySymbol == "$"
    size(device.activeEntitlements) > 1 && device.activeEntitlements[1] == "pro"
    device.isMac
    !device.isMac && device.platform == "iOS"
    device.isSandbox == false
    device.isFirstAppOpen
    device.isFirstAppOpen == true
    device.isLowPowerModeEnabled == false
    device.appVersionPadded < "003.000.000"
    device.appVersionPadded >= "002.010.000" && device.appVersionPadded < "003.000.000"
    device.appVersionPadded == "004.003.001"
    device.appVersion == "4.3.1"
    device.appVersion != "4.3.1"
    device.appVersion in ["4.3.1", "4.3.2"]
    device.appVersion.startsWith("4.")
    device.osVersion.startsWith("17.")
    device.osVersion.startsWith("17")
    device.sdkVersionPadded >= "004.016.000"
    device.deviceModel == "iPhone16,2"
    device.deviceModel in ["iPhone16,1", "iPhone16,2"]
    device.interfaceType == "iphone"
    device.interfaceType in ["iphone", "ipad"]
    device.interfaceType != "tv"
    device.deviceLocale == "en_GB"
    device.deviceLocale in ["en_GB", "en_US"]
    device.deviceLocale.startsWith("en")
    device.preferredLocale == "de_DE"
    device.deviceLocale == "zh_Hans_CN"
    device.deviceLocale == "zh-Hans_CN"
    device.preferredLocale.startsWith("es_")
    device.deviceLanguageCode == "en"
    device.deviceLanguageCode in ["en", "de", "fr"]
    device.deviceLanguageCode != "en"
    device.preferredLanguageCode == "zh"
    device.preferredLanguageCode == "yue"
    device.regionCode == "SE"
    device.regionCode in ["SE", "NO"]
    device.regionCode == ""
    device.regionCode != "US"
    device.regionCode == "419"
    device.preferredRegionCode == "GB"
    device.deviceCurrencyCode == "USD"
    device.deviceCurrencyCode in ["EUR", "USD"]
    device.deviceCurrencySymbol == "€"
    device.timezoneOffset >= 3600
    device.timezoneOffset == 0
    device.timezoneOffset == -18000
    device.radioType == "Wifi"
    device.radioType != "No Internet"
    device.radioType == ""
    device.interfaceStyle == "Dark"
    device.fontScale > 1.2
    device.fontSize >= 18
    device.fontScale == 1
    device.preferredContentSizeCategory == "accessibilityLarge"
    device.bundleId == "com.example.app"
    device.bundleId.endsWith(".beta")
    device.appInstallDate >= "2026-01-01"
    device.appInstallDate != "" && device.appInstallDate < "2026-01-01T00:00:00.000Z"
    device.appInstallDate > "2025"
    device.daysSinceInstall >= 3
    device.daysSinceInstall == 0
    device.daysSinceInstall > 3 && device.daysSinceInstall < 30
    device.daysSinceInstall >= 7 && device.daysSinceInstall <= 14
    device.minutesSinceInstall > 60
    device.minutesSinceInstall <= 30
    device.totalPaywallViews >= 3
    device.totalPaywallViews < 5
    device.totalPaywallViews % 3 == 0
    device.totalReviewRequests == 0
    device.utcDate == "2026-12-24"
    device.localDate >= "2026-11-27" && device.localDate <= "2026-11-30"
    device.localDate.startsWith("2026-12")
    device.localDate.endsWith("-12-24")
    device.localDate < "2027"
    device.utcDate >= "2026-06"
    device.localTime >= "18:00:00"
    device.localTime >= "09:00" && device.localTime < "17:00"
    device.localTime < "12"
    device.utcTime > "23:59:00"
    device.localDateTime >= "2026-11-27T00:00:00"
    device.utcDateTime < "2026-12-01T00:00:00Z"
    device.localDateTime.startsWith("2026-11-27T")
    device.utcDateTime > "2026-12-01"
    !("pro" in device.activeEntitlements)
    size(device.activeEntitlements) > 0
    device.activeEntitlements.exists(e, e == "pro")
    device.activeEntitlements.all(e, e != "pro")
    size(device.activeEntitlements) == 0 && user.plan == "team"
    "com.app.annual" in device.activeProducts
    device.activeProducts.exists(p, p.startsWith("com.app."))
    device.subscriptionStatus == "ACTIVE"
    device.subscriptionStatus == "INACTIVE"
    device.subscriptionStatus != "ACTIVE"
    device.subscriptionStatus in ["INACTIVE", "UNKNOWN"]
    device.activeEntitlementObjects.exists(e, e.identifier == "pro" && e.isActive)
    device.customerInfo.subscriptions.exists(x, x.willRenew == false)
    device.customerInfo.subscriptions.exists(x, x.productId == "annual" && x.isActive)
    size(device.customerInfo.nonSubscriptions) > 0
    device.customerInfo.entitlements.all(e, !e.isActive)
    device.customerInfo.isPlaceholder == false
    device.appBuildString == "5690201"
    device.interfaceStyleMode == "automatic"
    device.storeFrontCountryCode == "USA"
    device.storeFrontCountryCode in ["USA", "CAN"]
    device.ipCountry == "United States"
    device.ipRegion == "California"
    device.ipCity == "San Francisco"
    device.ipContinent == "Europe"
    device.ipTimezone == "America/Los_Angeles"
    device.ipTimezone.startsWith("Europe/")
    device.demandTier == "high"
    device.latestSubscriptionState == "expired"
    device.latestSubscriptionPeriodType == "trial" && device.latestSubscriptionWillAutoRenew == false
    device.platformWrapper == "Flutter"
    device.deviceTier == "high"
    user.email.endsWith("@example.com")
    user.email.contains("@")
    user.email.matches(r"^[^@]+@example\.com$")
    user.name.matches("^A")
    user.name.matches(r"\d+")
    user.name == "Ann"
    user.name != ""
    size(user.name) > 3
    size(user.tags) >= 2
    "vip" in user.tags
    !("vip" in user.tags)
    user.tags.exists(t, t == "vip")
    user.tags.exists(t, t.startsWith("v"))
    user.tags.all(t, t != "blocked")
    user.tags.exists_one(t, t == "vip")
    size(user.tags.filter(t, t.startsWith("x"))) > 1
    user.scores.exists(x, x > 90)
    user.scores.all(x, x >= 0 && x <= 100)
    user.scores.map(x, x * 2).exists(y, y > 100)
    user.orders.exists(o, o.items.exists(i, i.price > 100))
    user.orders.exists(o, o.total >= 50 && "gift" in o.tags)
    user.profile.address.city == "Malmö"
    user.profile.age > 18 && user.profile.verified
    user["first-name"] == "Ann"
    user["größe"] > 3
    user.tags[0] == "a"
    user.matrix[0][1] == 3
    user.profile["city"] == "Lund"
    user.score > 0.5
    user.score >= 1.5 && user.score <= 2.5
    user.balance > -10
    user.balance < 0
    user.credits + user.bonus > 100
    user.credits - user.spent >= 10
    user.credits * 2 > 50
    user.age - 18 >= 0
    user.wins > user.losses
    user.height / 2 > 80
    user.sessions > 10 ? user.plan == "free" : user.plan == "trial"
    user.vip ? true : user.age > 30
    user.a == "x" ? user.b : user.c
    (user.age > 18 || user.verified) && user.country == "SE"
    ((user.a == 1) && (user.b == 2)) || (user.c == 3)
    user.a == 1 && (user.b == 2 || user.c == 3) && !(user.d == 4)
    !(user.a && user.b)
    !user.a && !user.b
    user.a || user.b || user.c
    user.flag
    user.flag == true
    user.flag != true
    false
    user.age > 3 || user.age < 2
    params.source == "onboarding"
    params.source in ["onboarding", "settings"]
    params.price > 9.99
    params.count >= 3
    params.event_name == "campaign_trigger"
    params["$is_standard_event"] == true
    params["$app_session_id"] != ""
    params.url.startsWith("https://")
    params.host == "promo"
    params.path.contains("sale")
    params.feature_gating == "GATED"
    params.is_free_trial_available == true
    params.abandoned_product_id == "annual"
    params.survey_selected_option_title == "Too expensive"
    params.paywall_id == "123"
    params.presented_by == "placement"
    params.primary_product_id.endsWith("annual")
    params.step == 3 || params.step == 4
    params.isPromo
    !params.isPromo
    params.utm_source == "facebook" && params.utm_campaign.startsWith("bf")
    user.acquisition_source == "Apple Search Ads"
    user.acquisition_campaign != ""
    user.adjustId != ""
    user.aliasId.startsWith("$SuperwallAlias:")
    user.appUserId == "user_1"
    user.applicationInstalledAt >= "2026-01-01"
    user.createdAt > "2026-01-01"
    user.birthday == "1990-05-01"
    user.lastSeen < "2026-11-01T00:00:00Z"
    user.version >= "2"
    user.build > 100
    user.phone == "+46701234567"
    user.zip == "01234"
    user.code == "007"
    user.locale == "en-US"
    user.status == "ACTIVE"
    user.count > 3
    user.size == "XL"
    user.length > 10
    user.length == "long"
    params.length > 3
    user.map == "world1"
    user.cart.count > 0
    user.profile.size == "M"
    params.video.count >= 3
    user.inbox.count == 0
    user.contains == true
    user.plan == 'pro'
    user.bio.contains("it's")
    user.bio.contains("say \"hi\"")
    user.path == "C:\\temp"
    user.note == ""
    user.emoji == "🎉"
    user.name == "Åsa Öberg"
    user.x == -1
    user.x != -1
    user.x > -0.5
    user.x == 1e3
    user.id == 9007199254740993
    user.big < 1000000
    user.pct >= 0.25
    user.age > 18 // adults
    user.level > 3 && user.level != 7
    user.level != 3 && user.level != 4
    user.plan != "free" && user.plan != "trial"
    user.a > 1 || user.a < -1
    user.a == 1 || user.a == 2 || user.a > 10
    user.a >= 1 && user.a <= 1
    user.x > 3 && user.y < 3
    user.age == 18 || user.age > 18
    user.plan == "a" && user.plan2 == "b"
    user.trial == true && user.trialDaysLeft <= 2
    user.daysLeft == 0
    user.unread > 0 && user.unread < 100
    has(user.email)
    !has(user.age) || user.age > 18
    string(user.age) == "25"
    timestamp(user.created) > timestamp("2026-01-01T00:00:00Z")
    """#)

  /// Right in the superscript dialect.
  static let superscript = lines(
    #"""
    user.age == "18"
    user.plan == "pro" && device.daysSince("app_open") > 7
    device.daysSince("app_install") >= 3
    device.daysSince_app_install > 3
    device.hoursSince("paywall_open") < 24
    device.placementsInDay("campaign_trigger") < 3
    computed.daysSince("x") > 3
    device.minutesSince("session_start") > 10
    device.monthsSince("app_install") >= 1
    device.yearsSince("app_install") == 0
    device.appInstallDate.startsWith("2026-11-2")
    device.placementsSinceInstall("paywall_open") == 0
    device.placementsInHour("x") > 1
    device.placementsInWeek("x") > 1
    device.placementsInMonth("x") > 1
    !has(user.email)
    has(user.email) ? user.email.endsWith("@x.com") : false
    has(user.age) && user.age > 18
    user.email == null
    user.email == null || user.email == ""
    user.gone == 0 || user.gone > 5
    has(device.daysSinceLastPaywallView) && device.daysSinceLastPaywallView < 3
    !has(device.daysSinceLastPaywallView) || device.daysSinceLastPaywallView >= 3
    device.daysSinceLastPaywallView >= 3
    device.daysSinceLastPaywallView > 7
    user.plan == "pro" && has(user.trialEnd)
    !!user.vip
    user.vip == "true"
    user.flag == "false"
    device.isSandbox == "false"
    "true" == user.flag
    hasFn("device.daysSince") ? device.daysSince("x") > 3 : false
    maybe(user, user.email.endsWith("@x.com"), false)
    hasFn("daysSince")
    user.tags.contains("vip")
    contains(user.tags, "vip")
    startsWith(user.name, "A")
    user.score == "42"
    "42" == user.score
    user.age != "25"
    int(user.score) > 40
    double(user.score) >= 41.5
    max(user.a, user.b) > 3
    max([1, user.a]) > 2
    size("abc") == user.n
    user.age.string() == "25"
    {"a": 1, "b": 2}[user.key] == 1
    {"se": "kr"}.contains(user.country)
    user.country in {"SE": 1, "NO": 2}
    user.score in [1, 2.0, uint(3)]
    timestamp("2026-01-01T00:00:00Z") < timestamp(user.created)
    user.price == params.price
    user.plan == params.plan
    user.country == device.regionCode
    user.name.matches("(?i)^ann")
    user.tags.map(t, t + "x").contains("ax")
    user.x in user.list
    params.id in user.seen
    !(params.id in user.seen)
    user.map.contains("key")
    user.age>18&&user.plan=="pro"
    user.age > - 5
    "SE" == user.country
    18 <= user.age && user.age < 65
    18 < user.age
    null != user.email
    user.meta == {}
    user.tags == ["a", "b"]
    user.tags != []
    user.tags == []
    device.appVersionPadded >= user.minVersion
    device.activeEntitlements == []
    device.activeEntitlements != []
    device.activeEntitlements.contains("pro")
    user.seed < params.rollout
    user.list[user.index] == 3
    user.isPremium == true || user.isPremium == "true"
    device.ipCountry != "" && device.ipCountry != "United States"
    user.gone != ""
    user.level == 1.0
    5 > user.level
    -user.x > 3
    (user.a + user.b) * 2 >= user.c % 5
    user.a + "-" + user.b == "x-y"
    device.regionCode.matches("^[A-Z]{2}$") && !(device.regionCode in ["US", "CA"])
    device.appVersionPadded >= "2025.001.000"
    int(device.localTime[0] + device.localTime[1]) % 2 == 0
    !(device.ipCountry in ["Japan", "China"])
    (device.daysSince("trial_started") || 0) < 3
    device.platform == "iOS" ? (user.isLoggedIn ? user.seed < 50 : user.seed < 10) : false
    device.placementsSinceInstall("app_install") == 1
    has(user.plan) && user.plan == "pro" || user.isStaff
    user.handle.startsWith("@anna")
    """#)

  /// Right in the cel dialect.
  static let cel = lines(
    #"""
    has(user.profile.city) && user.profile.city == "Lund"
    "email" in user
    user.name.size() > 3
    user.tags.size() == 0
    user.name.lowerAscii() == "ann"
    user.name.trim() != ""
    user.name.split(" ")[0] == "Ann"
    user.tags.join(",").contains("vip")
    user.name.substring(0, 1) == "A"
    user.name.replace("a", "b") == "bnn"
    user.name.indexOf("n") == 1
    user.?email.orValue("").endsWith("@x.com")
    user[?"email"].hasValue()
    math.greatest(user.a, user.b) > 3
    math.least(1, user.a) == 1
    math.abs(user.x) < 3
    math.round(user.score) == 4.0
    timestamp(user.created).getFullYear() == 2026
    timestamp(device.utcDateTime) - timestamp(user.created) > duration("24h")
    duration("1h") < duration(user.d)
    int(user.score) > 3
    double(user.score) > 1.5
    type(user.age) == int
    type(user.x) == string || type(user.x) == null_type
    user.x == null
    user.x != null
    dyn(user.age) > 3.5
    user.age > 17.5
    cel.bind(x, user.age, x > 18 && x < 65)
    user.scores.map(x, x > 3, x * 2).size() > 1
    sets.contains(user.tags, ["a"])
    sets.intersects(user.tags, ["a", "b"])
    user.tags.all(i, t, i >= 0 && t != "")
    user.prices.transformMap(k, v, v * 2)["x"] > 3
    lists.range(3).exists(i, user.scores[i] > 3)
    user.tags.distinct().size() == user.tags.size()
    "%s-%d".format([user.name, user.age]) == "Ann-25"
    base64.encode(b"hi") == user.code
    user.flags == 0x1F
    user.id == 5u
    user.bytes == b"\x01"
    {"a": 1}[user.key] == 1
    user.key in {"a": 1}
    [1, 2, 3].exists(x, x == user.age)
    user.name.matches("^A.*")
    user.`first-name` == "Ann"
    user.age in [18, 19, 20]
    ip(user.ip).isLoopback()
    cidr("10.0.0.0/8").containsIP(user.ip)
    user.name == r"a\b"
    user.a ? user.b : (user.c ? user.d : false)
    user.tags.filter(t, t != "").sort()[0] == "a"
    optional.of(user.age).hasValue()
    user.tags.first().orValue("") == "a"
    regex.extract(user.email, "@(.*)$").orValue("") == "x.com"
    has(device.daysSinceLastPaywallView) && device.daysSinceLastPaywallView > 3
    device.isSandbox == "true" || device.isSandbox == true
    """#)

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map(String.init)
  }
}
