//! Ends the process on a signal without leaving half-written files behind.

/// From now on SIGINT, SIGTERM, SIGHUP and SIGQUIT remove the temporary files before they end the
/// process. It ends by the signal itself, so that a shell sees 128 and its number. Further signals
/// change nothing: some programs pass on what the terminal sent already.
#[cfg(unix)]
pub(super) fn clean_up() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    use signal_hook::iterator::Signals;

    let ignored = ignored();
    let wanted = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]
        .into_iter()
        .filter(|signal| ignored & (1 << (signal - 1)) == 0);
    // Without it, all is as by default: a signal ends the process and leaves a file.
    let Ok(mut signals) = Signals::new(wanted) else { return };
    let wait = move || {
        for signal in signals.forever() {
            super::progress::clear();
            let _removed = crate::temporary::remove_all();
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    };
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(wait);
}

#[cfg(not(unix))]
pub(super) fn clean_up() {}

/// The signals that whoever started the process has it ignore, as `nohup` does: bit 0 is signal 1.
/// Only Linux tells without a system call that needs `unsafe`.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
