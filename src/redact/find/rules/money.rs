//! Payments, shops, shipping, exchanges.

use super::row::{Reading, Rule, token};

#[rustfmt::skip]
pub(super) const ROWS: &[Rule] = &[
    token("stripe-key", &["sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_", "whsec_"],
        r"(?:[sr]k_(?:live|test|prod)_[A-Za-z0-9_]{10,250}|whsec_[A-Za-z0-9+/]{24,}=?)", 3.0),
    token("stripe-client-secret", &["pi_", "seti_"], r"(?:pi|seti)_[A-Za-z0-9]{24}_secret_[A-Za-z0-9]{25}", 3.5),
    token("square-token", &["sq0", "EAAA"], r"(?:sq0[a-z]{3}-[\w-]{22,43}|EAAA[\w=-]{56,64})", 3.2),
    token("braintree-token", &["access_token$"], r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}", 3.2),
    token("paypal-token", &["A21AA"], r"A21AA[\w-]{80,}", 4.0),
    token("plaid-token", &["access-sandbox-", "access-development-", "access-production-"],
        r"access-(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", 3.0),
    token("razorpay-key", &["rzp_live_", "rzp_test_"], r"rzp_(?:live|test)_[A-Za-z0-9]{14,}", 3.0),
    token("flutterwave-key", &["FLWSECK", "FLWPUBK"],
        r"FLW(?:SECK|PUBK)(?:_TEST)?-(?:[0-9a-zA-Z]{32}-X|[0-9a-zA-Z]{12})", 2.6),
    // Lob and Mollie.
    token("payment-key", &["live_", "test_"], r"(?:(?:live|test)_(?:pub_[0-9a-f]{31}|[0-9a-f]{35})|live_[A-Za-z0-9]{30})", 3.0),
    token("paystack-key", &["sk_"], r"sk_[a-z]{2,12}_[A-Za-z0-9]{40}", 3.8),
    token("pagarme-key", &["ak_live_", "ak_test_"], r"ak_(?:live|test)_[A-Za-z0-9]{30}", 3.5),
    token("paddle-key", &["pdl_"], r"pdl_(?:live|sdbx)_apikey_[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}", 3.5),
    token("polar-token", &["polar_"], r"polar_(?:oat|pat|at_[uo]|rt_[uo])_[A-Za-z0-9]{32,}", 3.5),
    token("xendit-key", &["xnd_"], r"xnd_(?:production|development)_[A-Za-z0-9]{40,}", 3.5),
    token("midtrans-key", &["Mid-server-"], r"Mid-server-[\w-]{20,}", 3.2),
    token("mercadopago-token", &["APP_USR-"], r"APP_USR-[0-9]{12,}-[0-9]{6}-[0-9a-f]{32}-[0-9]+", 3.0),
    token("ramp-key", &["ramp_sec_", "ramp_id_"], r"ramp_(?:sec|id)_[A-Za-z0-9]{40,48}", 3.5),
    token("brex-token", &["bxt_"], r"bxt_[A-Za-z0-9]{36}", 3.5),
    token("mercury-token", &["secret-token:"], r"secret-token:[\w-]{20,}", 3.2),
    token("recharge-key", &["sk_1x", "sk_2x", "sk_3x", "sk_5x", "sk_10x", "sk_test_1x"], r"sk_(?:test_)?[0-9]{1,2}x[0-9]_[0-9a-f]{64}", 3.0),
    token("tickettailor-key", &["sk_"], r"sk_[0-9]{4}_[0-9]{6}_[0-9a-f]{32}", 3.0),
    token("adyen-key", &["AQE"], r"AQE[a-z]hm[A-Za-z0-9+/]{40,}={0,2}-[A-Za-z0-9+/=]{20,}-[\x21-\x7e]{8,}", 4.0),
    token("coinbase-key", &["organizations/"], r"organizations/[0-9a-f-]{36}/apiKeys/([0-9a-f-]{36})", 3.0),
    token("unit-token", &["unit_live_", "v2.public.eyJ"], r"(?:unit_live_[A-Za-z0-9]{30,}|v2\.public\.eyJ[\w.-]{60,})", 3.5),
    // Its dollar sign is no variable's.
    Rule { name: "asaas-key", sign: None, literals: &["$aact_"], entropy: 3.5, reading: Reading::Exact, pattern: r"\$aact_(?:prod|hmlg|sandbox)_[A-Za-z0-9+/=]{60,}" },
    token("bitcoin-key", &["xprv9"], r"xprv9[1-9A-HJ-NP-Za-km-z]{100,108}", 4.0),

    // Shops and shipping
    token("shopify-token", &["shpat_", "shpca_", "shppa_", "shpss_"], r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}", 3.0),
    token("woocommerce-key", &["ck_", "cs_"], r"c[ks]_[0-9a-f]{40}", 3.0),
    token("shippo-token", &["shippo_"], r"shippo_(?:live|test)_[0-9a-fA-F]{40}", 3.0),
    token("easypost-key", &["EZAK", "EZTK"], r"EZ[AT]K[A-Za-z0-9]{54}", 3.5),
    token("duffel-token", &["duffel_"], r"duffel_(?:test|live)_[\w=-]{43}", 3.2),
    token("flexport-token", &["shltm_"], r"shltm_[\w-]{40}", 3.5),
    token("fleetbase-key", &["flb_live_"], r"flb_live_[A-Za-z0-9]{20}", 3.2),
];
