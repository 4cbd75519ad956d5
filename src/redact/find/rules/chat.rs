//! Chat, calls, mail.

use super::row::{Reading, Rule, around, read, token};

#[rustfmt::skip]
pub(super) const ROWS: &[Rule] = &[
    token("slack-token", &["xoxa-", "xoxb-", "xoxe-", "xoxe.", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xoxc-", "xoxd-", "xapp-", "xwfp-"],
        r"(?:xox[abceoprsd]-[\w%-]{8,}|xoxe\.xox[bp]-[0-9]-[\w-]{20,}|x(?:app|wfp)-[0-9]-[A-Za-z0-9]+-[0-9]+-[a-z0-9]{8,})", 2.8),
    token("webhook", &["hooks.slack.com/", "discord.com/api/webhooks/", "discordapp.com/api/webhooks/", "hooks.zapier.com/hooks/catch/", ".make.com/mcp/", "hook.eu1.make.com/", "hook.eu2.make.com/", "hook.us1.make.com/", "hook.us2.make.com/", ".tines.com/webhook/", ".logic.azure.com"],
        r"(?:hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/]{40,})|discord(?:app)?\.com/api/webhooks/([0-9]{17,20}/[\w-]{60,})|hooks\.zapier\.com/hooks/catch/([0-9]{4,}/[A-Za-z0-9]{6,})|hook\.(?:eu|us)[12]\.make\.com/([a-z0-9]{32})|\.make\.com/mcp/(?:api/v1/u|server)/([0-9a-f-]{36})|\.tines\.com/webhook/([0-9a-f]{32}/[0-9a-f]{32})|\.logic\.azure\.com[^\s\x22'<>]{10,300}[&?]sig=([\w%-]{40,}))", 2.8),
    read("discord-token", &[], Reading::Runs),
    around("telegram-token", 17, &[":AA"], r"(?:bot)?([0-9]{5,16}:AA[\w-]{32,33})", 3.5),
    token("twilio-key", &["SK0", "SK1", "SK2", "SK3", "SK4", "SK5", "SK6", "SK7", "SK8", "SK9", "SKa", "SKb", "SKc", "SKd", "SKe", "SKf"], r"SK[0-9a-fA-F]{32}", 3.0),
    token("intercom-token", &["dG9rO"], r"dG9rO[A-Za-z0-9+/]{54}=", 3.5),
    token("onesignal-key", &["os_v2_"], r"os_v2_(?:app|org)_[a-z2-7]{60,}", 3.5),
    token("telnyx-key", &["KEY0"], r"KEY0[0-9A-Za-z_-]{54}", 3.8),
    token("pubnub-key", &["sec-c-"], r"sec-c-[A-Za-z0-9]{20,}", 3.5),
    token("courier-key", &["pk_", "dk_"], r"[pd]k_[a-z0-9]{2,12}_[A-Z0-9]{28}", 3.2),
    around("webex-token", 64, &["_PF84_"], r"[A-Za-z0-9]{64}_PF84_[0-9a-f-]{36}", 3.5),
    around("push-key", 11, &[":APA91b"], r"[\w-]{11}:APA91b[\w-]{134}", 4.0),
    token("gc-notify-key", &["ApiKey-v1 gcntfy-", "gcntfy-"],
        r"(?:ApiKey-v1 )?gcntfy-[\w.-]{1,60}?-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", 3.0),

    // Mail
    token("sendgrid-key", &["SG."], r"SG\.[\w=-]{16,24}\.[\w=.-]{38,50}", 3.8),
    token("sendgrid-key", &["SG."], r"SG\.[\w=.-]{66}", 4.0),
    token("mailgun-key", &["key-", "pubkey-"], r"(?:pub)?key-[0-9a-f]{32}", 3.0),
    token("brevo-key", &["xkeysib-", "xsmtpsib-"], r"x(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}", 3.0),
    around("mailchimp-key", 32, &["-us"], r"[0-9a-f]{32}-us[0-9]{1,2}", 3.0),
    token("mandrill-key", &["md-"], r"md-[\w-]{22}", 3.9),
    token("resend-key", &["re_"], r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,28}", 3.6),
    token("mailersend-key", &["mlsn."], r"mlsn\.[0-9a-f]{64}", 3.0),
    token("klaviyo-key", &["pk_"], r"pk_[0-9a-f]{34}", 3.0),
    token("nylas-key", &["nyk_"], r"nyk_(?:v[0-9]_)?[A-Za-z0-9]{40,}", 3.5),
    token("customer-io-key", &["sa_live_"], r"sa_live_[A-Za-z0-9]{24,}", 3.5),
];
