//! What is judged by what stands around it.

use leafpress::redact::{Rules, Scanner};

/// What is found of a line.
fn found(line: &str) -> Vec<&str> {
    let hits = Scanner::new(&Rules::new()).unwrap().scan_text(line);
    hits.into_iter().map(|hit| &line[hit.range]).collect()
}

#[test]
fn names_of_programs_are_no_bearer_tokens() {
    for line in ["authorization = self.headers.get(x)", "(Authorization, \"AUTHORIZATION\")"] {
        assert_eq!(found(line), Vec::<&str>::new(), "{line}");
    }
    let token = ["Qm7Zt", "2Lx9Rv", "4Kd8Wp"].concat();
    assert_eq!(found(&format!("Authorization: Bearer {token}")), [token.as_str()]);
}

/// Names of constants and functions where a key would stand. Seen in libc, ring and rustls.
#[test]
fn names_of_programs_are_no_keys() {
    for line in [
        "pub const SYS_memfd_secret: c_long = __X32_SYSCALL_BIT + 447;",
        "set_encrypt_key:\n\tAARCH64_SIGN_LINK_REGISTER\n",
        "generate_private_key: x25519_generate_private_key,",
        "TrafficSecret => \"CLIENT_TRAFFIC_SECRET_0\",",
        "\"Authorization: Bearer \", \"authorization=bearer=\", x",
    ] {
        assert_eq!(found(line), Vec::<&str>::new(), "{line}");
    }
    // Keys of words are not names.
    for key in ["blue_lane_tree42", "X9K2_44TT_Q8", "prod_k4_a1b2c3d4"] {
        assert_eq!(found(&format!("client_secret = \"{key}\"")), [key]);
    }
    assert_eq!(found("API_SECRET=BLUE_LANE_TREE_42"), ["BLUE_LANE_TREE_42"]);
}

#[test]
fn passwords_of_any_bytes_are_found_in_a_header() {
    let login = data_encoding::BASE64.encode(b"client_4:k3\xffZt9\x96Lw7\xf8Rq2-vX");
    assert_eq!(found(&format!("curl -H 'Authorization: Basic {login}'")), [login.as_str()]);
    assert_eq!(found(&format!("the basic {login}")), Vec::<&str>::new());
}

/// A string within a string is a line of its own. Found by fuzzing.
#[test]
fn strings_of_a_name_and_a_word() {
    let word = ["Qm7Zt2Lx", "9Rv4Kd8Wp1"].concat();
    for line in [
        "password @",
        "\"password @\"",
        "[\"_password @\"]",
        "\\\"password @\\\"",
        "'x' \"token @\",",
    ] {
        assert_eq!(found(&line.replace('@', &word)), [word.as_str()], "{line}");
    }
    assert_eq!(found(&format!("\"password {word} is wrong\"")), Vec::<&str>::new());
}
