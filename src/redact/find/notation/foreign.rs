//! Names of secrets in other languages, those that are not written in ASCII alone.

use std::ops::Range;

use crate::redact::judge::names::Promise;

use super::named::Named;

/// Capitals beside small letters: only ASCII is looked for without regard to case.
#[rustfmt::skip]
pub(super) const PASSWORDS: &[&str] = &[
    "contraseña", "contrasenya", "mot de passe", "lösenord", "hasło", "Şifre", "şifre", "kata sandi", "mật khẩu", "jelszó",
    "密码", "密碼", "口令", "パスワード", "비밀번호", "암호", "пароль", "Пароль", "ПАРОЛЬ", "סיסמה", "סיסמא",
    "كلمة المرور", "كلمة السر", "κωδικός", "Κωδικός", "रूट पासवर्ड", "पासवर्ड", "รหัสผ่าน", "גישה סיסמת",
];

#[rustfmt::skip]
pub(super) const KEYS: &[&str] = &["令牌", "密钥", "密鑰", "秘密鍵", "アクセスキー", "токен", "Токен", "clé secrète", "토큰"];

/// The name at `literal`, when it is no part of a longer word.
pub(super) fn name(text: &[u8], literal: &Range<usize>) -> Option<Named> {
    let own = &text[literal.clone()];
    let promise =
        if KEYS.iter().any(|key| key.as_bytes() == own) { Promise::Key } else { Promise::Password };
    let is_latin = own.first().is_some_and(u8::is_ascii_alphabetic);
    let before = literal.start.checked_sub(1).map(|at| text[at]);
    let is_part = is_latin && before.is_some_and(|byte| byte.is_ascii_alphanumeric())
        || text.get(literal.end).is_some_and(u8::is_ascii_alphanumeric);
    (!is_part).then_some(Named { range: literal.clone(), promise, is_plural: false })
}
