//! Clouds, hosting, networks.

use super::row::{Rule, around, token};

#[rustfmt::skip]
pub(super) const ROWS: &[Rule] = &[
    // Amazon
    token("aws-access-key", &["AKIA", "ASIA", "ABIA", "ACCA"], r"A(?:KIA|SIA|BIA|CCA)[A-Z2-7]{16}", 2.8),
    // In tables of `--output text`, too, where the time stands between them.
    token("aws-secret-key", &["AKIA", "ASIA"],
        r"A[KS]IA[A-Z2-7]{16}(?:[ \t]+[0-9T:+.Z-]{19,32}[ \t]+|[^A-Za-z0-9/+]{1,12}(?:[\w.]{0,32}[^A-Za-z0-9/+]{1,8})?)([A-Za-z0-9/+]{40})", 4.0),
    token("aws-session-token", &["ASIA"],
        r"ASIA[A-Z2-7]{16}[ \t]+(?:[0-9T:+.Z-]{19,32}[ \t]+)?[A-Za-z0-9/+]{40}[ \t]+([A-Za-z0-9+/]{100,}={0,2})", 4.0),
    token("aws-session-token", &["IQoJb3JpZ2lu", "FwoGZXIvYXdz", "FQoGZXIvYXdz"], r"(?:IQoJb3JpZ2lu|F[wQ]oGZXIvYXdz)[A-Za-z0-9+/]{80,}={0,2}", 4.0),
    token("aws-bedrock-key", &["ABSK", "bedrock-api-key-"],
        r"(?:ABSK[A-Za-z0-9+/]{90,}={0,2}|bedrock-api-key-Y[m]Vkcm9jay5hbWF6b25hd3MuY29t[A-Za-z0-9+/=_-]*)", 3.0),
    token("aws-appsync-key", &["da2-"], r"da2-[a-z0-9]{26}", 3.0),
    token("amazon-mws-token", &["amzn.mws."], r"amzn\.mws\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", 3.0),
    token("amazon-oauth-secret", &["amzn1.oa2-cs."], r"amzn1\.oa2-cs\.v1\.[0-9a-f]{64}", 3.0),

    // Google
    token("google-api-key", &["AIza"], r"AIza[\w-]{35}", 3.2),
    token("google-api-key", &["AQ.Ab"], r"AQ\.Ab[\w-]{45,}", 3.8),
    token("google-oauth-secret", &["GOCSPX-"], r"GOCSPX-[\w-]{28}", 3.2),
    token("google-oauth-token", &["ya29.", "1//0"], r"(?:ya29\.[\w-]{24,}|1//0[\w-]{38,})", 3.5),
    token("google-storage-key", &["GOOG1E", "GOOGTS"], r"GOOG(?:1E[A-Z0-9]{55}|[A-Z0-9]{20})", 3.2),

    // Microsoft: keys since 2022 carry a signature of the service four letters from their end.
    around("azure-client-secret", 3, &["0Q~", "1Q~", "2Q~", "3Q~", "4Q~", "5Q~", "6Q~", "7Q~", "8Q~", "9Q~"],
        r"[\w.~-]{3}[0-9]Q~[\w.~-]{31,34}", 3.5),
    token("azure-storage-key", &["AccountKey="], r"AccountKey=([A-Za-z0-9+/]{86}==)", 4.0),
    around("azure-storage-key", 76, &["+ASt", "ACDb"], r"[A-Za-z0-9+/]{76}(?:\+ASt|ACDb)[A-Za-z0-9+/]{5,6}={1,2}", 4.0),
    around("azure-service-key", 52, &["+ABa", "AzCa", "AIoT", "+ASb", "+AEh", "+APIM", "AzFu", "AzSe", "+ACR", "ACRD", "JQQJ99"],
        r"(?:[A-Za-z0-9+/]{33,44}(?:\+ABa|AzCa|AIoT|\+ASb|\+AEh)[A-Za-z0-9+/]{5,6}=?|[\w-]{44}AzFu[\w-]{5,8}={0,2}|[A-Za-z0-9]{42}AzSe[A-D][A-Za-z0-9]{5}|[A-Za-z0-9/+]{42}\+ACR[A-D][A-Za-z0-9]{5}|[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{18,26})", 4.0),
    around("azure-devops-token", 76, &["AZDO"], r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}", 4.0),
    token("azure-signature", &["&sig=", "?sig="], r"[&?]sig=([A-Za-z0-9+/%_-]{43,}=?)", 4.0),
    token("microsoft-webhook", &["webhook.office.com/webhookb2/"],
        r"webhook\.office\.com/webhookb2/([\w-]{36}@[\w-]{36}/IncomingWebhook/[0-9a-zA-Z]{32}/[\w-]{36}[\w/-]*)", 3.0),

    // Others
    token("alibaba-access-key", &["LTAI"], r"LTAI[A-Za-z0-9]{20}", 3.2),
    token("tencent-secret-id", &["AKID"], r"AKID[A-Za-z0-9]{32}", 3.5),
    token("volcengine-access-key", &["AKLT"], r"AKLT[\w-]{43,}={0,2}", 3.5),
    token("yandex-key", &["AQVN", "YCAJ", "YCM", "YCO", "YCP", "y0_"],
        r"(?:AQVN[\w-]{35,38}|YC[\w-]{38}|y0_[\w-]{50,})", 3.5),
    token("yandex-token", &["t1."], r"t1\.[\w-]{8,}={0,2}\.[\w-]{86}={0,2}", 4.0),
    token("digitalocean-token", &["dop_v1_", "doo_v1_", "dor_v1_"], r"do[opr]_v1_[0-9a-f]{64}", 3.0),
    token("digitalocean-spaces-key", &["DO00", "DO801"], r"DO(?:00|801)[A-Z0-9]{15,18}", 3.0),
    token("scaleway-key", &["SCW"], r"SCW[A-Z0-9]{17}", 3.2),
    token("exoscale-key", &["EXO"], r"EXO[0-9a-f]{24}", 3.0),
    token("upcloud-token", &["ucat_"], r"ucat_[A-Z0-9]{26}", 3.0),
    token("scalingo-token", &["tk-us-"], r"tk-us-[\w-]{48}", 3.5),
    token("heroku-key", &["HRKU-"], r"HRKU-[\w-]{36,}", 3.0),
    token("fly-token", &["FlyV1 ", "fo1_", "fm1a_", "fm1r_", "fm2_"],
        r"(?:(?:FlyV1 )?fm(?:1[a-z]|2)_[A-Za-z0-9+/]{60,}={0,3}(?:,fm[12][a-z]?_[A-Za-z0-9+/]{60,}={0,3})*|fo1_[\w-]{43})", 3.5),
    token("vercel-token", &["vcp_", "vci_", "vca_", "vcr_", "vck_", "vercel_blob_rw_"],
        r"(?:vc[piark]_[A-Za-z0-9]{24,60}|vercel_blob_rw_[A-Za-z0-9]{16}_[A-Za-z0-9]{30,})", 3.5),
    token("netlify-token", &["nfp_", "nfc_", "nfo_", "nfu_", "nfb_"], r"nf[pcoub]_[A-Za-z0-9]{36}", 3.5),
    token("render-key", &["rnd_"], r"rnd_[A-Za-z0-9]{28,32}", 3.5),
    token("openshift-token", &["sha256~"], r"sha256~[\w-]{43}", 3.5),
    token("cloudflare-ca-key", &["v1.0-"], r"v1\.0-[0-9a-f]{24}-[0-9a-f]{146}", 3.0),
    token("cloudflare-token", &["cfut_", "cfat_", "cfk_"], r"cf(?:ut|at|k)_[A-Za-z0-9]{40}[0-9a-f]{0,8}", 3.5),
    token("tailscale-key", &["tskey-"], r"tskey-(?:[a-z]{3,10}-)?[A-Za-z0-9]{8,}(?:-[A-Za-z0-9]{16,})?", 3.5),
    token("defined-key", &["dnkey-"], r"dnkey-[\w=-]{26}-[\w=-]{52}", 3.5),
    token("pulumi-token", &["pul-"], r"pul-[0-9a-f]{40}", 3.0),
    around("terraform-token", 14, &[".atlasv1."], r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}", 3.5),
    token("infracost-token", &["ico-"], r"ico-[A-Za-z0-9]{32}", 3.5),
    token("harness-token", &["pat.", "sat."], r"[ps]at\.[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}", 3.5),
    token("octopus-key", &["API-"], r"API-[A-Z0-9]{26,32}", 3.2),
    token("portainer-token", &["ptr_"], r"ptr_[A-Za-z0-9+/_-]{43}=", 4.0),
    token("castai-key", &["castai_v1_"], r"castai_v1_[0-9a-f]{64}_[0-9a-f]{8}", 3.0),
    token("zuplo-key", &["zpka_"], r"zpka_[A-Za-z0-9]{32}_[0-9a-f]{8}", 3.5),
    token("rancher-token", &["token-"], r"token-[a-z0-9]{5}:[a-z0-9]{54}", 3.5),
];
