//! Work, documents, design, content, social networks, maps.

use super::{Rule, around, token};

#[rustfmt::skip]
pub(super) const ROWS: &[Rule] = &[
    token("linear-key", &["lin_api_", "lin_oauth_", "lin_wh_"], r"lin_(?:api|oauth|wh)_[A-Za-z0-9]{32,}", 3.2),
    token("notion-token", &["ntn_", "secret_"], r"(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43})", 3.5),
    token("airtable-token", &["pat"], r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}", 3.2),
    token("airtable-token", &["oaa"], r"oaa[A-Za-z0-9]{14}\.v1\.[\w-]{40,}\.[0-9a-f]{64}", 3.5),
    token("figma-token", &["figd_", "figo_", "figor_", "figoh_", "figh_", "figu_", "figp_", "figur_"], r"fig[a-z]{1,3}_[\w-]{38,}", 3.5),
    token("clickup-token", &["pk_"], r"pk_[0-9]{6,9}_[0-9A-Z]{32}", 3.2),
    token("asana-token", &["0/1", "1/1", "2/1"], r"[0-2]/1[0-9]{12,18}(?:/[0-9]{13,19})?:[0-9a-zA-Z]{32,}", 3.2),
    token("hubspot-token", &["pat-na1-", "pat-na2-", "pat-eu1-", "pat-ap1-"], r"pat-[a-z]{2}[0-9]-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", 3.0),
    around("salesforce-token", 15, &["!AQ", "!AR"], r"00D[A-Za-z0-9]{12}(?:[A-Za-z0-9]{3})?!A[QR][\w.]{60,}", 4.0),
    token("salesforce-refresh-token", &["5Aep861"], r"5Aep861[\w.]{60,}", 4.0),
    token("zoho-token", &["1000."], r"1000\.[0-9a-f]{32}\.[0-9a-f]{32}", 3.2),
    token("close-key", &["api_"], r"api_[A-Za-z0-9]{22}\.[A-Za-z0-9]{22}", 3.8),
    token("contentful-token", &["CFPAT-"], r"CFPAT-[\w-]{43}", 3.5),
    token("typeform-token", &["tfp_"], r"tfp_[\w.=-]{40,64}", 3.5),
    token("readme-key", &["rdme_"], r"rdme_[a-z0-9]{70}", 3.5),
    token("frameio-token", &["fio-u-"], r"fio-u-[\w=-]{64}", 3.5),
    token("adobe-secret", &["p8e-"], r"p8e-[A-Za-z0-9_-]{32}", 3.5),
    token("dropbox-token", &["sl."], r"sl\.(?:u\.)?[\w=-]{120,}", 4.0),
    token("dropbox-token", &["sl."], r"sl\.[\w=-]{60,}", 4.6),
    token("settlemint-token", &["sm_aat_", "sm_pat_", "sm_sat_"], r"sm_[aps]at_[A-Za-z0-9]{16}", 3.0),
    token("apify-token", &["apify_api_", "apify_proxy_"], r"apify_(?:api|proxy)_[A-Za-z0-9]{34,40}", 3.5),
    token("calcom-key", &["cal_live_"], r"cal_live_[A-Za-z0-9]{32}", 3.2),
    token("retool-key", &["retool_"], r"retool_[a-z0-9]{26}", 3.5),
    token("valtown-token", &["vtwn_"], r"vtwn_[A-Za-z0-9]{27}", 3.5),
    token("n8n-key", &["n8n_api_"], r"n8n_api_[0-9a-f]{40,}", 3.0),
    token("nylas-key", &["nyk_v0_"], r"nyk_v0_[A-Za-z0-9]{40,}", 3.5),
    token("persona-key", &["persona_production_", "persona_sandbox_"], r"persona_(?:production|sandbox)_[\w-]{30,}", 3.2),
    token("onfido-token", &["api_live.", "api_sandbox.", "api_live_", "api_sandbox_"], r"api_(?:live|sandbox)(?:_[a-z]{2})?\.[\w-]{11}\.[\w-]{32}", 3.5),
    token("webflow-token", &["ws-"], r"ws-[0-9a-f]{64}", 3.0),

    // Maps and social networks
    token("mapbox-token", &["sk.eyJ", "pk.eyJ", "tk.eyJ"], r"[spt]k\.eyJ[A-Za-z0-9_-]{40,}\.[\w-]{20,24}", 3.8),
    token("mapbox-token", &["pk.", "sk."], r"[sp]k\.[A-Za-z0-9]{60}\.[A-Za-z0-9]{22}", 4.0),
    token("facebook-token", &["EAAC", "EAAM", "EAAB", "EAAG", "EAAI", "EAAJ", "EAAK", "EAAL", "EAAN", "EAAO", "EAAP", "EAAD", "EAAE", "EAAF", "EAAH"],
        r"EAA[A-P](?:Edeose0cBA[0-9A-Za-z]+|[A-Za-z0-9]{90,})", 4.0),
    token("facebook-token", &["facebook"], r"(?i:facebook)[^|\n]{0,60}?[^0-9|\n]([0-9]{15,16}\|[\w-]{27,40})", 3.5),
    token("instagram-token", &["IGQV", "IGQW", "IGAA"], r"IG(?:Q[VW]|AA)[\w-]{80,}", 4.0),
    token("twitter-bearer", &["AAAAAAAAAAAAAAAAAAAAA"], r"A{20,24}[A-Za-z0-9%]{60,120}", 3.5),
    token("linkedin-secret", &["WPL_AP1."], r"WPL_AP1\.[A-Za-z0-9]{16}\.[A-Za-z0-9+/]{6}==", 3.5),
];
