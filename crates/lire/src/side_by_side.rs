//! Independent pieces of work side by side, each on threads of its own.
//!
//! Such pieces hand out work themselves. In one pool a thread that waits within one piece would begin another: all of
//! them would be open at once, and the first might be the last to end.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use rayon::ThreadPoolBuilder;

use crate::watch::Watch;

/// What the names of the threads begin with; whoever keeps panics of our threads quiet knows them by it.
const THREAD_NAME: &str = "lire-piece";

/// A piece gets a little less than its part of the time, since it ends a little later than it is told to.
const CAUTION: f64 = 0.9;

/// Does each piece and returns the results in their order. Pieces are begun in their order too.
pub fn side_by_side<T: Send>(n_pieces: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let n_threads = rayon::current_num_threads();
    let n_lanes = lanes(n_pieces);
    if n_lanes <= 1 {
        return (0..n_pieces).map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let take_all = || {
        let pieces = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        pieces.take_while(|&piece| piece < n_pieces).map(|piece| (piece, work(piece))).collect::<Vec<_>>()
    };
    let lane = |lane: usize| {
        let of_lane = n_threads / n_lanes + usize::from(lane < n_threads % n_lanes);
        let pool = ThreadPoolBuilder::new()
            .num_threads(of_lane)
            .thread_name(move |thread| format!("{THREAD_NAME}-{lane}-{thread}"));
        pool.build().map_or_else(|_| Vec::new(), |pool| pool.install(take_all))
    };
    let mut done: Vec<(usize, T)> = thread::scope(|scope| {
        let lane = &lane;
        let begin = |number: usize| {
            let name = format!("{THREAD_NAME}-{number}");
            thread::Builder::new().name(name).spawn_scoped(scope, move || lane(number)).ok()
        };
        let lanes: Vec<_> = (0..n_lanes).filter_map(begin).collect();
        lanes.into_iter().flat_map(|lane| lane.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    // Where the system gives no more threads, the pieces are left to this one.
    done.extend(take_all());
    done.sort_unstable_by_key(|&(piece, _)| piece);
    done.into_iter().map(|(_, result)| result).collect()
}

/// The same, with the time that is left divided among the pieces that are. What one does not use goes to the next.
pub fn side_by_side_in_time<T: Send>(
    n_pieces: usize,
    watch: &Watch,
    work: impl Fn(usize, &Watch) -> T + Sync,
) -> Vec<T> {
    let n_lanes = lanes(n_pieces);
    let n_left = AtomicUsize::new(n_pieces);
    side_by_side(n_pieces, |piece| {
        let n_left = n_left.fetch_sub(1, Ordering::Relaxed);
        let caution = if n_left > n_lanes { CAUTION } else { 1.0 };
        work(piece, &watch.share(caution * n_lanes as f64 / n_left as f64))
    })
}

/// How many pieces are done at a time.
fn lanes(n_pieces: usize) -> usize {
    n_pieces.min(rayon::current_num_threads())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;
    use std::time::{Duration, Instant};

    fn with_threads<T: Send>(n_threads: usize, work: impl FnOnce() -> T + Send) -> T {
        ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap().install(work)
    }

    #[test]
    fn results_come_in_order_at_any_thread_count() {
        let square = |piece: usize| (0..piece).into_par_iter().map(|_| piece).sum::<usize>();
        for n_threads in [1, 2, 5] {
            let squares = with_threads(n_threads, || side_by_side(7, square));
            assert_eq!(squares, [0, 1, 4, 9, 16, 25, 36]);
        }
        assert!(side_by_side(0, square).is_empty());
    }

    #[test]
    fn threads_are_divided_among_pieces() {
        let n_threads = |n_pieces: usize| -> usize {
            with_threads(5, || side_by_side(n_pieces, |_| rayon::current_num_threads())).iter().sum()
        };
        assert_eq!(n_threads(1), 5);
        // Two lanes of three and two threads; either may take both pieces.
        assert!((4..=6).contains(&n_threads(2)));
        assert_eq!(n_threads(20), 20);
    }

    #[test]
    fn no_piece_is_begun_within_another() {
        let open = AtomicUsize::new(0);
        let most = AtomicUsize::new(0);
        with_threads(2, || {
            side_by_side(8, |_| {
                let now = 1 + open.fetch_add(1, Ordering::SeqCst);
                most.fetch_max(now, Ordering::SeqCst);
                (0..64)
                    .into_par_iter()
                    .with_max_len(1)
                    .for_each(|_| thread::sleep(Duration::from_micros(50)));
                open.fetch_sub(1, Ordering::SeqCst);
            })
        });
        assert!(most.into_inner() <= 2);
    }

    #[test]
    fn each_piece_gets_its_part_of_the_time_that_is_left() {
        let day = Duration::from_secs(86_400);
        let deadline = Instant::now() + 4 * day;
        let watch = Watch { deadline: Some(deadline), ..Watch::default() };
        let shares = with_threads(1, || {
            side_by_side_in_time(4, &watch, |_, watch| watch.deadline.unwrap() - Instant::now())
        });
        // Nothing was used: nearly a quarter of four days, then a third, a half, and at last all.
        let tenths: Vec<u64> = shares
            .iter()
            .map(|share| (share.as_secs_f64() / day.as_secs_f64() * 10.0).round() as u64)
            .collect();
        assert_eq!(tenths, [9, 12, 18, 40]);
        let without = side_by_side_in_time(2, &Watch::default(), |_, watch| watch.deadline);
        assert_eq!(without, [None, None]);
    }

    #[test]
    #[should_panic(expected = "piece 3")]
    fn a_panic_of_a_piece_is_passed_on() {
        with_threads(2, || side_by_side(5, |piece| assert!(piece != 3, "piece {piece}")));
    }
}
