"""Writes a Parquet file of invented users, the same ones for the same seed.

    python generate.py COUNT FILE [--seed NUMBER]

Attributes are distributed as in an app: sessions and prices have long tails, most users pay nothing, and
many attributes are missing. Users are written as they are made, so that memory does not grow with COUNT.
"""

import argparse

import duckdb

# Chance of a user: a number of 0 up to 1 from the hash of the user's number, the seed and a name.
CHANCE = "(hash(n, {seed}, '{name}') % 1000003) / 1000003.0"

USERS = """
SELECT
  {{
    'id': 'u' || n,
    'appUserId': CASE WHEN {signed} < 0.6 THEN 'u' || n END,
    'seed': CAST(floor({seed_} * 100) AS BIGINT),
    'isLoggedIn': {signed} < 0.6,
    'sessions': CAST(floor(2 / (0.01 + {sessions})) AS BIGINT),
    'homeSpot': CASE WHEN {spot} < 0.4 THEN list_extract(['Croyde', 'Ericeira', 'Pipeline', 'Hossegor'],
      1 + CAST(floor({spot} * 10) AS BIGINT)) END,
    'email': CASE WHEN {mail} < 0.7 THEN 'u' || n ||
      CASE WHEN {mail} < 0.02 THEN '@tidewise.example' ELSE '@example.org' END END,
    'tags': CASE WHEN {tags} < 0.5 THEN list_filter(['longboard', 'shortboard', 'dawn', 'river'],
      lambda tag: hash(n, {seed}, tag) % 4 = 0) END
  }} AS "user",
  {{
    'platform': CASE WHEN {phone} < 0.55 THEN 'iOS' ELSE 'Android' END,
    'interfaceType': CASE WHEN {phone} < 0.45 THEN 'iphone' WHEN {phone} < 0.55 THEN 'ipad' END,
    'appVersionPadded': '00' || CAST(3 + CAST(floor({version} * 3) AS BIGINT) AS VARCHAR) || '.'
      || lpad(CAST(CAST(floor({minor} * 12) AS BIGINT) AS VARCHAR), 3, '0') || '.000',
    'preferredLanguageCode': list_extract(['en', 'en', 'en', 'de', 'fr', 'pt', 'es', 'ja'],
      1 + CAST(floor({language} * 8) AS BIGINT)),
    'ipCountry': CASE WHEN {country} < 0.9 THEN list_extract(['United States', 'Germany', 'France',
      'Portugal', 'Brazil', 'Japan'], 1 + CAST(floor({country} * 6) AS BIGINT)) END,
    'ipContinent': CASE WHEN {country} < 0.9 THEN list_extract(['North America', 'Europe', 'Europe',
      'Europe', 'South America', 'Asia'], 1 + CAST(floor({country} * 6) AS BIGINT)) END,
    'demandTier': CASE WHEN {demand} < 0.3 THEN list_extract(['high', 'medium', 'low'],
      1 + CAST(floor({demand} * 10) AS BIGINT)) END,
    'activeEntitlements': CASE WHEN {paid} < 0.03 THEN ['skipper', 'captain']
      WHEN {paid} < 0.08 THEN ['skipper'] ELSE [] END,
    'latestSubscriptionWillAutoRenew': CASE WHEN {paid} < 0.12 THEN {paid} < 0.06 END,
    'latestSubscriptionPeriodType': CASE WHEN {paid} < 0.12 THEN
      CASE WHEN {paid} < 0.1 THEN 'subscription' ELSE 'trial' END END,
    'totalPaywallViews': CAST(floor(1 / (0.05 + {views})) AS BIGINT),
    'daysSince_app_install': CAST(floor({install} * 400) AS BIGINT),
    'hoursSince_paywall_close': CASE WHEN {close} < 0.5 THEN CAST(floor({close} * 1000) AS BIGINT) END,
    'customerInfo': CASE WHEN {paid} < 0.12 THEN {{'subscriptions':
      [{{'productId': CASE WHEN {paid} < 0.05 THEN 'com.tidewise.monthly' ELSE 'com.tidewise.yearly' END,
         'isActive': {paid} < 0.08}}]}} END
  }} AS device,
  {{
    'days': CASE WHEN {days} < 0.8 THEN CAST(floor({days} * 20) AS BIGINT) END,
    'host': CASE WHEN {link} < 0.1 THEN 'offer' END,
    'code': CASE WHEN {link} < 0.05 THEN 'swell' END,
    'path': CASE WHEN {link} < 0.1 THEN '/captain' END,
    'discount': CASE WHEN {link} < 0.1 THEN CAST(floor({link} * 500) AS BIGINT) END,
    'abandoned_product_id': CASE WHEN {leave} < 0.1 THEN 'com.tidewise.yearly' END,
    'abandoned_product_trial_period_days': CASE WHEN {leave} < 0.05 THEN '7' END,
    'paywall_name': CASE WHEN {leave} < 0.3 THEN 'Forecast Week' END,
    'feature_gating': CASE WHEN {leave} < 0.3 THEN 'NON_GATED' END,
    'survey_selected_option_title': CASE WHEN {leave} < 0.04 THEN 'Too expensive' END
  }} AS params
FROM range({count}) AS numbers(n)
"""

NAMES = """signed sessions spot mail tags phone version minor language country demand paid views install
close days link leave""".split()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int)
    parser.add_argument("file")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    values = {name: CHANCE.format(seed=options.seed, name=name) for name in NAMES}
    values["seed_"] = CHANCE.format(seed=options.seed, name="seed")
    query = USERS.format(seed=options.seed, count=options.count, **values)
    target = options.file.replace("'", "''")
    duckdb.execute(f"COPY ({query}) TO '{target}' (FORMAT parquet, COMPRESSION zstd)")


main()
