//! Logs, metrics, errors, analytics, incidents.

use super::row::{Rule, around, token};

#[rustfmt::skip]
pub(super) const ROWS: &[Rule] = &[
    token("grafana-token", &["glsa_", "glc_", "eyJrIjoi"],
        r"(?:glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|glc_[A-Za-z0-9+/]{32,}={0,2}|eyJrIjoi[A-Za-z0-9+/]{60,}={0,3})", 3.2),
    token("sentry-token", &["sntrys_", "sntryu_", "sntrya_"], r"sntry[sua]_[A-Za-z0-9+/=_-]{60,}", 3.2),
    token("newrelic-key", &["NRAK-", "NRJS-", "NRII-", "NRIQ-", "NRRA-", "NRBR-", "NRAA-"],
        r"NR(?:AK|JS|II|IQ|RA|BR|AA)-[A-Za-z0-9_-]{19,42}", 2.8),
    around("newrelic-license", 36, &["NRAL"], r"[0-9a-f]{30,36}(?:FF)?NRAL", 3.0),
    token("posthog-key", &["phx_", "phs_", "phc_"], r"ph[xsc]_[A-Za-z0-9_]{38,}", 3.5),
    token("honeycomb-key", &["hcaik_", "hcxik_", "hcbik_", "hcamk_"], r"hc[a-z][im]k_[A-Za-z0-9]{26,}", 3.5),
    token("axiom-token", &["xaat-", "xapt-"], r"xa[ap]t-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", 3.0),
    token("dynatrace-token", &["dt0c01.", "dt0s01.", "dt0s02.", "dt0s16."], r"dt0[a-z][0-9]{2}\.[A-Za-z0-9]{8,24}\.[A-Za-z0-9]{64}", 3.8),
    token("checkly-key", &["cu_"], r"cu_[0-9a-f]{32}", 3.0),
    token("rootly-key", &["rootly_"], r"rootly_[0-9a-f]{64}", 3.0),
    token("incident-io-key", &["inc_"], r"inc_[0-9a-f]{64}", 3.0),
    token("uptimerobot-key", &["ur1", "ur2", "ur3", "ur4", "ur5", "ur6", "ur7", "ur8", "ur9"], r"ur[0-9]{5,9}-[0-9a-f]{24}", 3.0),
    token("ubidots-token", &["BBFF-", "BBUS-"], r"BB(?:FF|US)-[A-Za-z0-9]{30,34}", 3.5),
    token("adafruit-key", &["aio_"], r"aio_[A-Za-z0-9]{28}", 3.5),
    token("segment-token", &["sgp_"], r"sgp_[A-Za-z0-9]{64}", 3.5),
    token("flagsmith-key", &["ser."], r"ser\.[A-Za-z0-9]{22}", 3.8),
];
