//! `agent://` in the texts of an oh-my-pi session: a link where the page has that agent's session.

use leafpress::format::{ReadOptions, read_with};
use leafpress::render::{Placement, Renderer};
use leafpress::session::digest::Digest;
use leafpress::session::{Child, Format};
use leafpress::{Session, report};
use serde_json::json;

use crate::support::session::Log;

fn omp(log: &Log) -> Session {
    read_with(log.text().into_bytes(), Some(Format::Omp), &ReadOptions::default()).unwrap()
}

fn child(key: &str, session: Result<Session, &str>) -> Child {
    Child {
        key: key.to_owned(),
        agent: None,
        task: None,
        started_by: Some("1".to_owned()),
        session: session.map(Box::new).map_err(str::to_owned),
    }
}

/// A session with these words, which started Scout (which started Helper), Diver and the missing Lost.
fn family(words: &Log) -> Session {
    let helper = omp(&Log::new().user("agent://Helper agent://Diver agent://Scout"));
    let scout = omp(&Log::new().user("agent://Helper/3, agent://Lost"));
    let scout = scout.with_children(vec![child("Helper", Ok(helper))]);
    let diver = omp(&Log::new().user("agent://Helper"));
    omp(words).with_children(vec![
        child("Scout", Ok(scout)),
        child("Diver", Ok(diver)),
        child("Lost", Err("not found")),
    ])
}

fn body(session: &Session, key: &str) -> String {
    let digest = Digest::read(session);
    let entry = session.find(key).unwrap();
    let html =
        Renderer::new(session, &digest).article(entry, Placement { state: None, leaf: entry });
    let (_, body) = html.as_str().split_once("<div class=\"body\">").unwrap();
    body.to_owned()
}

fn said(words: &str) -> String {
    body(&family(&Log::new().user(words)), "1")
}

fn link(key: &str, text: &str) -> String {
    format!("<a class=\"entry-ref\" href=\"#entry-{key}\">{text}</a>")
}

#[test]
fn names_of_sessions_in_the_page_are_links() {
    let body = said(
        "see agent://Scout, (agent://Diver/findings.0). `agent://Scout/Helper` and agent://Lost.",
    );
    for (key, text) in [
        ("Scout/1", "agent://Scout"),
        ("Diver/1", "agent://Diver/findings.0"),
        ("Scout/Helper/1", "agent://Scout/Helper"),
        ("Lost/missing", "agent://Lost"),
    ] {
        assert!(body.contains(&link(key, text)), "{text} in {body}");
    }
    assert!(
        body.contains(&format!("<code>{}</code>", link("Scout/Helper/1", "agent://Scout/Helper")))
    );
    assert!(body.contains("</a>.</p>"), "the full stop is none of it: {body}");
}

#[test]
fn other_names_stay_as_they_are() {
    for words in [
        "agent://Nobody",
        "agent://",
        "xagent://Scout",
        "agent://Scouting",
        "agent://../Scout",
        "agent://Helper",
    ] {
        let body = said(words);
        assert!(!body.contains("entry-ref") && body.contains(words), "{body}");
    }
    let pi = Log::new().user("agent://Scout").read();
    let pi = pi.with_children(vec![child("Scout", Ok(Log::new().user("x").read()))]);
    assert!(!body(&pi, "1").contains("entry-ref"), "another format has no such addresses");
}

#[test]
fn names_are_looked_up_from_the_inside_out() {
    let session = family(&Log::new().user("go"));
    let scout = body(&session, "Scout/1");
    assert!(scout.contains(&link("Scout/Helper/1", "agent://Helper/3")), "{scout}");
    assert!(scout.contains(&link("Lost/missing", "agent://Lost")), "{scout}");
    let helper = body(&session, "Scout/Helper/1");
    assert!(helper.contains(&link("Scout/Helper/1", "agent://Helper")), "{helper}");
    assert!(helper.contains(&link("Diver/1", "agent://Diver")), "{helper}");
    assert!(!body(&session, "Diver/1").contains("entry-ref"));
}

#[test]
fn links_of_markdown_lead_there_too() {
    let body = said(
        "[the *dive* ![x](y) now](agent://Diver \"t\") then [no one](agent://Nobody) agent://Scout",
    );
    assert!(
        body.contains("<a class=\"entry-ref\" href=\"#entry-Diver/1\">the <em>dive</em>"),
        "{body}"
    );
    assert!(
        body.contains("<span class=\"dead-link\" title=\"agent://Nobody\">no one</span>"),
        "{body}"
    );
    assert_eq!(
        (body.matches("<a ").count(), body.matches("</a>").count()),
        (2 + 3, 2 + 3),
        "{body}"
    );
    let body = said("[agent://Scout](https://example.org)");
    assert!(!body.contains("entry-ref"), "no link within a link: {body}");
}

#[test]
fn results_of_tools_have_them_and_summaries_do_not() {
    let call = json!({"role": "assistant", "stopReason": "toolUse", "content": [{"type": "toolCall", "id": "c", "name": "bash", "arguments": {"command": "see agent://Scout"}}]});
    let result = json!({"role": "toolResult", "toolCallId": "c", "toolName": "bash", "content": "<b>agent://Scout</b> & agent://Diver", "isError": false});
    let session = family(&Log::new().user("go").message(call).message(result));
    let body = body(&session, "3");
    assert!(
        body.contains(&format!("&lt;b&gt;{}&lt;/b&gt; &amp; ", link("Scout/1", "agent://Scout"))),
        "{body}"
    );
    for summary in body.split("<summary").skip(1) {
        assert!(!summary.split("</summary>").next().unwrap().contains("entry-ref"), "{body}");
    }
    let rows = report::tree(
        &session,
        session.leaf(),
        leafpress::Filter::All,
        Some("\"<b>agent://scout</b>\""),
    )
    .unwrap()
    .rows;
    assert_eq!(rows.len(), 1, "search sees the text as before");
}

#[test]
fn a_missing_session_says_why() {
    let body = body(&family(&Log::new().user("go")), "Lost/missing");
    assert!(body.contains("<b>Lost</b><span data-ui> cannot be shown: </span>not found"), "{body}");
}
