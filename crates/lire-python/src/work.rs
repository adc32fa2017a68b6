//! Runs the library's work on threads of its own, while Python stays responsive.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use lire::watch::Progress;
use lire::{Result, Watch};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::errors::{exception, mistake};

/// How often the interpreter is asked whether someone pressed Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);
/// What the names of our threads begin with.
const THREAD_NAME: &str = "lire";

/// Does short work without holding up other Python threads.
pub fn briefly<T: Send>(
    py: Python<'_>,
    n_threads: usize,
    work: impl FnOnce() -> Result<T> + Send,
) -> PyResult<T> {
    let pool = pool(n_threads)?;
    let done = py.detach(|| pool.install(|| catch_unwind(AssertUnwindSafe(work))));
    done.map_err(|_| mistake())?.map_err(exception)
}

/// When so many seconds from now have passed.
pub fn deadline(seconds: Option<f64>) -> Option<Instant> {
    let limit = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    limit.and_then(|limit| Instant::now().checked_add(limit))
}

/// Does long work: Ctrl-C ends it, progress is told to a Python function, which may say that it is enough, and a
/// deadline holds. The work owns all that it needs: after Ctrl-C the caller is free at once, while threads that look
/// for the end of their work only now and then come to it by themselves.
pub fn watched<T: Send + 'static>(
    py: Python<'_>,
    n_threads: usize,
    deadline: Option<Instant>,
    on_progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&Watch) -> Result<T> + Send + 'static,
) -> PyResult<T> {
    let pool = pool(n_threads)?;
    let signals = Arc::new(Signals::default());
    let wants_progress = on_progress.is_some();
    py.detach(|| {
        // Without a queue the work is at most one step ahead of what Python was told.
        let (sender, receiver) = sync_channel(0);
        let of_worker = Arc::clone(&signals);
        let body = move || {
            let steps = Mutex::new(sender);
            let tell = |progress| {
                // Nobody listens any more after an exception in the Python function.
                let _ = steps.lock().unwrap_or_else(PoisonError::into_inner).send(progress);
            };
            let on_progress: Option<&(dyn Fn(Progress) + Sync)> =
                if wants_progress { Some(&tell) } else { None };
            let Signals { interrupt, enough } = &*of_worker;
            let watch = Watch { deadline, interrupt: Some(interrupt), enough: Some(enough), on_progress };
            pool.install(|| catch_unwind(AssertUnwindSafe(|| work(&watch))))
        };
        let worker = thread::Builder::new()
            .name(THREAD_NAME.into())
            .spawn(body)
            .map_err(|error| exception(lire::Error::io("a thread", error)))?;
        loop {
            let step = match receiver.recv_timeout(LOOK) {
                Ok(step) => Some(step),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            match look(step, on_progress) {
                Ok(wants_no_more) => signals.enough.fetch_or(wants_no_more, Ordering::Relaxed),
                Err(raised) => {
                    signals.interrupt.store(true, Ordering::Relaxed);
                    return Err(raised);
                }
            };
        }
        worker.join().unwrap_or_else(Err).map_err(|_| mistake())?.map_err(exception)
    })
}

/// What Python tells the work.
#[derive(Default)]
struct Signals {
    interrupt: AtomicBool,
    enough: AtomicBool,
}

/// Lets Python handle signals, and tells it about a step, whereupon it may want no more. Python allows both only on the
/// calling thread.
fn look(step: Option<Progress>, on_progress: Option<&Py<PyAny>>) -> PyResult<bool> {
    Python::attach(|py| {
        py.check_signals()?;
        let (Some(step), Some(on_progress)) = (step, on_progress) else { return Ok(false) };
        let told = match step {
            Progress::Trees { done, total } => on_progress.call1(py, ("trees", done, total as f64))?,
            Progress::Validation { done, total } => {
                on_progress.call1(py, ("validation", done, total as f64))?
            }
            // Where there is one output, its moves tell enough.
            Progress::Outputs { total: 1, .. } => return Ok(false),
            Progress::Outputs { done, total } => on_progress.call1(py, ("outputs", done, total as f64))?,
            Progress::Move { objective, n_rules, output } => {
                on_progress.call1(py, ("rules", n_rules, objective, output.place, output.of))?
            }
        };
        told.extract(py)
    })
}

/// Threads are kept for the next call, but a forked process has none of its parent's.
struct Pools {
    process: u32,
    by_size: HashMap<usize, Arc<ThreadPool>>,
}

static POOLS: Mutex<Option<Pools>> = Mutex::new(None);

/// Threads to work with; 0 for one a core.
fn pool(n_threads: usize) -> PyResult<Arc<ThreadPool>> {
    keep_panics_quiet();
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if pools.as_ref().is_none_or(|pools| pools.process != process)
        && let Some(stale) = pools.replace(Pools { process, by_size: HashMap::new() })
    {
        // Dropping them would wait for threads that this process does not have.
        std::mem::forget(stale);
    }
    let by_size = &mut pools.as_mut().ok_or_else(mistake)?.by_size;
    if let Some(pool) = by_size.get(&n_threads) {
        return Ok(Arc::clone(pool));
    }
    let builder =
        ThreadPoolBuilder::new().num_threads(n_threads).thread_name(|index| format!("{THREAD_NAME}-{index}"));
    let pool =
        builder.build().map_err(|error| exception(lire::Error::config("n_jobs", error.to_string())))?;
    let pool = Arc::new(pool);
    by_size.insert(n_threads, Arc::clone(&pool));
    Ok(pool)
}

/// A panic becomes an exception; its text would only disturb.
fn keep_panics_quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let others = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !thread::current().name().is_some_and(|name| name.starts_with(THREAD_NAME)) {
                others(panic);
            }
        }));
    });
}
