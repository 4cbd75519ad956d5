//! Code hosting, builds, packages, containers.

use super::row::{Reading, Rule, token};

#[rustfmt::skip]
pub(super) const ROWS: &[Rule] = &[
    token("github-token", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"],
        r"(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_\w{36,255})", 3.0),
    token("github-app-token", &["v1."], r"v1\.[0-9a-f]{40}", 3.0),
    token("gitlab-token", &["glpat-", "gldt-", "glrt-", "glrtr-", "glptt-", "glcbt-", "glft-", "glffct-", "glsoat-", "glagent-", "gloas-", "glimt-", "glwt-", "GR1348941"],
        r"(?:gl(?:pat|dt|rtr?|ptt|cbt|ft|ffct|soat|agent|oas|imt|wt)-[\w.-]{20,}|GR1348941[\w-]{20,})", 3.0),
    token("gitlab-session", &["_gitlab_session="], r"_gitlab_session=([0-9a-z]{32})", 3.0),
    token("atlassian-token", &["ATATT3", "ATCTT3", "ATBB", "ATSTT3", "ATTA"],
        r"(?:AT[ACS]TT3[\w=-]{20,}|ATBB[A-Za-z0-9]{32}|ATTA[0-9a-f]{64}[0-9A-F]{8})", 3.5),
    token("sonar-token", &["squ_", "sqp_", "sqa_"], r"sq[upa]_[0-9a-f]{40}", 3.0),
    token("circleci-token", &["CCIPAT_", "CCIPRJ_"], r"CCI(?:PAT|PRJ)_[A-Za-z0-9]{20,24}_[0-9a-f]{40}", 3.2),
    token("buildkite-token", &["bkua_", "bkaa_", "bkaj_", "bkar_", "bkct_", "bkpt_", "bkps_"], r"bk(?:ua|aa|aj|ar|ct|pt|ps)_[\w-]{40,}", 3.0),
    token("bitbucket-server-token", &["BBDC-"], r"BBDC-[A-Za-z0-9+/@_-]{40,50}", 3.5),
    token("mergify-key", &["mergify_application_key_"], r"mergify_application_key_[\w-]{40,}", 3.5),
    token("aikido-token", &["AIK_CI_"], r"AIK_CI_[A-Za-z0-9]{40}", 3.5),
    token("endor-key", &["endr+"], r"endr\+[A-Za-z0-9-]{16,}", 3.0),
    token("trufflehog-key", &["thog-key-", "thog-agent-"], r"thog-(?:key|agent)-[0-9a-f]{16,}", 2.8),
    token("nightfall-key", &["NF-"], r"NF-[A-Za-z0-9]{32}", 3.8),
    token("wakatime-key", &["waka_"], r"waka_(?:tok_|sec_)?[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", 3.0),
    token("postman-key", &["PMAK-", "PMAT-"], r"(?:PMAK-[0-9a-fA-F]{24}-[0-9a-fA-F]{34}|PMAT-[0-9A-Z]{26})", 3.0),
    token("prefect-key", &["pnu_", "pnb_"], r"pn[ub]_[A-Za-z0-9]{36}", 3.5),
    token("trigger-dev-key", &["tr_dev_", "tr_prod_", "tr_stg_", "tr_pat_"], r"tr_(?:dev|prod|stg|pat)_[A-Za-z0-9]{20,}", 3.2),
    token("inngest-key", &["signkey-"], r"signkey-[a-z]{2,10}-[0-9a-f]{32,}", 3.0),
    token("intra42-secret", &["s-s4t2"], r"s-s4t2(?:ud|af)-[0-9a-fA-F]{64}", 3.0),

    // Packages
    token("npm-token", &["npm_"], r"npm_[A-Za-z0-9]{36}", 3.2),
    token("pypi-token", &["pypi-AgE"], r"pypi-AgE[\w-]{50,}", 3.5),
    token("rubygems-key", &["rubygems_"], r"rubygems_[0-9a-f]{48}", 3.0),
    token("nuget-key", &["oy2"], r"oy2[a-z0-9]{43}", 3.5),
    token("crates-token", &["cio"], r"cio[A-Za-z0-9]{32}", 3.8),
    token("clojars-token", &["CLOJARS_"], r"(?i:clojars)_[A-Za-z0-9]{60}", 3.5),
    token("artifactory-key", &["AKCp", "cmVmd"], r"(?:AKCp[A-Za-z0-9]{69}|cmVmd[A-Za-z0-9]{59})", 4.3),
    token("docker-token", &["dckr_"], r"dckr_[op]at_[\w-]{27,}", 3.2),
    token("docker-swarm-key", &["SWMTKN-1-", "SWMKEY-1-"], r"(?:SWMTKN-1-[a-z0-9]{50}-[a-z0-9]{25}|SWMKEY-1-[A-Za-z0-9+/]{43})", 3.5),
    token("cloudsmith-key", &["csa_"], r"csa_[0-9a-f]{30}[A-Za-z0-9]{6}", 3.2),
    token("deno-token", &["ddp_", "ddw_", "ddo_"], r"dd[pwo]_[A-Za-z0-9]{36}", 3.5),
    token("jsr-token", &["jsrp_", "jsrd_"], r"jsr[pd]_[A-Za-z0-9]{40,}", 3.5),
    Rule { name: "sidekiq-secret", sign: None, literals: &["BUNDLE_ENTERPRISE__CONTRIBSYS__COM", "BUNDLE_GEMS__CONTRIBSYS__COM"],
        entropy: 2.0, reading: Reading::Exact, pattern: r"(?i:BUNDLE_(?:ENTERPRISE|GEMS)__CONTRIBSYS__COM)\w{0,8}(?: string)?\W{1,16}([0-9a-f]{8}:[0-9a-f]{8})" },

    // Continuous integration keeps its secrets in files under a key of its own.
    token("jenkins-secret", &["AQAAABAAA"], r"AQAAABAAA[A-Za-z0-9+/=._:~ -]{16,4000}", 3.2),
    token("ansible-vault", &["$ANSIBLE_VAULT;"], r"\$ANSIBLE_VAULT;[0-9.]+;AES256(?:;[\w-]+)?\s+((?:[0-9a-f]{60,80}\s+)*[0-9a-f]{20,80})", 2.0),
];
