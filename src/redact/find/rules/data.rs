//! Databases, queues, feature flags, secret stores.

use super::row::{Reading, Rule, around, token};

#[rustfmt::skip]
pub(super) const ROWS: &[Rule] = &[
    token("databricks-token", &["dapi", "dkea", "dose"], r"(?:dapi|dkea|dose)[0-9a-f]{32}(?:-[0-9])?", 3.0),
    token("planetscale-token", &["pscale_"], r"pscale_(?:tkn|pw|oauth)_[\w.=-]{32,}", 3.2),
    token("supabase-key", &["sbp_", "sb_secret_"], r"(?:sbp_(?:v0_)?[0-9a-f]{40}|sb_secret_[\w-]{22,})", 3.0),
    token("neon-key", &["napi_"], r"napi_[a-z0-9]{60,64}", 3.5),
    token("xata-key", &["xau_"], r"xau_[A-Za-z0-9]{24,}", 3.5),
    token("mongodb-atlas-secret", &["mdb_sa_sk_"], r"mdb_sa_sk_[\w-]{40}", 3.5),
    token("clickhouse-key", &["4b1d"], r"4b1d[A-Za-z0-9]{38}", 4.0),
    token("aiven-password", &["AVNS_"], r"AVNS_[\w-]{19}", 3.2),
    token("fauna-key", &["fnAE", "fnAF"], r"fnA[EF][\w-]{35,40}", 3.5),
    token("cockroach-key", &["CCDB1_"], r"CCDB1_[A-Za-z0-9]{22}_[A-Za-z0-9]{40}", 3.5),
    token("tinybird-token", &["p.eyJ"], r"p\.eyJ[\w-]{20,}\.[\w-]{27,}", 3.8),
    token("dbt-token", &["dbtu_", "dbtc_", "dbts_"], r"dbt[ucs]_[\w-]{36,}=?", 3.5),
    token("confluent-secret", &["cflt"], r"cflt[A-Za-z0-9+/]{60}", 4.0),
    token("elastic-cloud-key", &["essu_"], r"essu_[A-Za-z0-9+/_-]{60,}={0,2}", 3.8),
    token("astra-token", &["AstraCS:"], r"AstraCS:[A-Za-z0-9]{24}:[0-9a-f]{64}", 3.5),
    token("doppler-token", &["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."],
        r"dp\.(?:pt|ct|sa|st|scim|audit)\.(?:[\w-]{2,35}\.)?[A-Za-z0-9]{40,44}", 3.5),
    token("launchdarkly-key", &["sdk-", "api-", "mob-"], r"(?:sdk|api|mob)-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", 3.0),
    token("config-cat-key", &["configcat-sdk-1/"], r"configcat-sdk-1/[\w-]{22}/[\w-]{22}", 3.8),
    token("devcycle-key", &["dvc_server_", "dvc_client_", "dvc_mobile_"], r"dvc_(?:server|client|mobile)_[\w-]{24,}", 3.5),
    token("unkey-key", &["unkey_"], r"unkey_[A-Za-z0-9]{20,32}", 3.5),
    token("statsig-key", &["secret-", "console-"], r"(?:secret|console)-[A-Za-z0-9]{40,50}", 3.8),
    token("stytch-secret", &["secret-live-", "secret-test-"], r"secret-(?:live|test)-[\w=-]{30,}", 3.5),

    // Secret stores
    token("vault-token", &["hvs.", "hvb.", "hvr."], r"hv[sbr]\.[\w-]{24,}", 3.2),
    // Nothing else looks like it, so what is made of one letter counts as well.
    Rule { name: "age-key", sign: None, literals: &["AGE-SECRET-KEY-1"], pattern: r"AGE-SECRET-KEY-1[0-9A-Z]{58}", entropy: 0.0, reading: Reading::Exact },
    token("onepassword-token", &["ops_eyJ"], r"ops_eyJ[A-Za-z0-9+/_-]{200,}={0,3}", 3.5),
    token("onepassword-key", &["A3-"], r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}", 3.2),
    token("infisical-token", &["st."], r"st\.[0-9a-f]{8}-[0-9a-f-]{27}\.[0-9a-f]{32}\.[0-9a-f]{32}", 3.2),
    around("authress-key", 48, &[".acc_", ".acc-"],
        r"(?:sc|ext|scauth|authress)_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][A-Za-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,120}", 3.2),
    token("okta-token", &["SSWS "], r"(?i:SSWS) +(00[\w-]{38,42})", 3.5),
    around("maxmind-key", 36, &["_mmk"], r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk", 3.8),
];
