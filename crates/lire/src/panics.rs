//! Calls into dependencies that panic on damaged input: the panic becomes a value, and nothing is printed.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// Whether this thread does work whose panics are expected.
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
}

/// Does the work; if it panics, gives what the panic says. What the work was changing must not be used after that.
pub fn catch_panic<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(|| silenced(work))).map_err(|panic| text_of(panic.as_ref()))
}

/// Does a part of such work that runs on another thread; its panic goes on to where the panic is caught.
pub fn silenced<T>(work: impl FnOnce() -> T) -> T {
    keep_expected_panics_quiet();
    let _restored = Restored(EXPECTED.replace(true));
    work()
}

/// Puts back what the thread expected before, also when a panic passes.
struct Restored(bool);

impl Drop for Restored {
    fn drop(&mut self) {
        EXPECTED.set(self.0);
    }
}

/// All other panics go to the hook that was there before.
fn keep_expected_panics_quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let others = take_hook();
        set_hook(Box::new(move |panic| {
            if !EXPECTED.get() {
                others(panic);
            }
        }));
    });
}

fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
    text.replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use rayon::prelude::*;

    use super::*;

    #[test]
    fn a_panic_becomes_its_text() {
        assert_eq!(catch_panic(|| 7), Ok(7));
        assert_eq!(catch_panic(|| panic!("bad")), Err::<(), _>("bad".to_owned()));
        assert_eq!(catch_panic(|| panic!("bad\n{}", 7)), Err::<(), _>("bad 7".to_owned()));
        assert!(!EXPECTED.get(), "as before");
    }

    #[test]
    fn a_panic_on_another_thread_comes_back_too() {
        let work = || (0..100).into_par_iter().for_each(|nth| silenced(|| assert_ne!(nth, 50, "bad")));
        assert!(catch_panic(work).unwrap_err().contains("bad"));
    }
}
