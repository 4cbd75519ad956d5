//! Calls of the browser's protocol, their parameters as JSON.

use headless_chrome::Tab;
use headless_chrome::protocol::cdp::Runtime;
use headless_chrome::protocol::cdp::types::Method;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Calls a method; the types of most have a field for each rare option.
pub(crate) fn call<M>(tab: &Tab, parameters: Value) -> M::ReturnObject
where
    M: Method + Serialize + DeserializeOwned,
{
    let method: M = serde_json::from_value(parameters).expect("the parameters fit the method");
    tab.call_method(method).unwrap_or_else(|error| panic!("{} failed: {error}", M::NAME))
}

/// The value of a JavaScript expression, awaited if it is a promise.
pub(crate) fn evaluate(tab: &Tab, expression: &str) -> Result<Value, String> {
    let parameters = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
    let method: Runtime::Evaluate = serde_json::from_value(parameters).expect("the parameters fit");
    let answer = tab.call_method(method).map_err(|error| error.to_string())?;
    match answer.exception_details {
        Some(details) => {
            let thrown = details.exception.and_then(|thrown| thrown.description);
            Err(thrown.unwrap_or(details.text))
        }
        None => Ok(answer.result.value.unwrap_or(Value::Null)),
    }
}
