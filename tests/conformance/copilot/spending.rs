//! What requests took, as several records tell it.

use super::*;

/// A response of this request.
fn requested(words: &str, request: &str, output: u32) -> Value {
    let mut event = response(words, &json!([]));
    event["data"]["apiCallId"] = json!(request);
    event["data"]["model"] = json!("m");
    event["data"]["outputTokens"] = json!(output);
    event
}

fn record(request: &str, input: u32, cached: u32, output: u32) -> Value {
    event(
        "session.usage_record",
        &json!({"usage": {"model": "m", "apiCallId": request, "inputTokens": input,
            "cacheReadTokens": cached, "cacheWriteTokens": 0, "outputTokens": output}}),
    )
}

fn shutdown(input: u32, cached: u32, output: u32) -> Value {
    let usage = json!({"inputTokens": input, "outputTokens": output, "cacheReadTokens": cached});
    event("session.shutdown", &json!({"modelMetrics": {"m": {"usage": usage}}}))
}

/// Input, output and what was read from a cache of all entries.
fn spent(session: &Session) -> [String; 3] {
    let mut sum = leafpress::session::usage::Usage::default();
    session
        .indices()
        .filter_map(|at| session.entry(at).unwrap().usage())
        .for_each(|usage| sum += usage);
    [sum.input, sum.output, sum.cache_read].map(|count| count.to_string())
}

#[test]
fn what_a_request_took_is_told_at_its_response() {
    let prompt = event("user.message", &json!({"content": "go"}));
    let events = [
        prompt,
        requested("One.", "a", 5),
        record("a", 100, 80, 5),
        // Before its response, and of one that never came.
        record("b", 50, 0, 7),
        requested("Two.", "b", 7),
        record("c", 9, 0, 1),
    ];
    let session = read(&lines(&events));
    assert_eq!(spent(&session), ["79", "13", "80"]);
    let of_first = assistant(&session, session.id(EntryIndex::new(1)).unwrap()).usage.unwrap();
    assert_eq!([of_first.input, of_first.cache_read].map(|n| n.to_string()), ["20", "80"]);
    // The shutdown counts the same, and a request that has no record.
    let mut closed = events.to_vec();
    closed.push(shutdown(200, 85, 15));
    let session = read(&lines(&closed));
    assert_eq!(spent(&session), ["115", "15", "85"]);
}

#[test]
fn counts_that_begin_anew_are_added() {
    let has_note =
        |session: &Session, words: &str| session.notes().iter().any(|note| note.contains(words));
    let mut events = vec![requested("One.", "", 100), shutdown(1000, 0, 100)];
    events.extend([requested("Two.", "", 30), shutdown(1300, 0, 130)]);
    let session = read(&lines(&events));
    assert_eq!(spent(&session), ["1300", "130", "0"]);
    assert!(!has_note(&session, "Both are added"));
    events[3] = shutdown(300, 0, 30);
    let session = read(&lines(&events));
    assert_eq!(spent(&session), ["1300", "130", "0"]);
    assert!(has_note(&session, "Both are added"));
    // One alone that does not count all.
    events.remove(1);
    assert!(has_note(&read(&lines(&events)), "fewer tokens than the responses wrote"));
}
