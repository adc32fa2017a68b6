//! Tables of many classes.

use super::table::Generated;
use crate::random::Random;

/// Letters of the alphabet, as in the well-known table of that name: 16 whole numbers from 0 to 15, two or three forms
/// of each letter.
pub fn letters(n_rows: usize) -> Generated {
    let mut random = Random::new(26);
    let mut forms: Vec<(usize, Vec<f64>, f64)> = Vec::new();
    for letter in 0..26 {
        for _ in 0..2 + random.below(2) {
            let centre = (0..16).map(|_| 2.0 + 11.0 * random.uniform()).collect();
            forms.push((letter, centre, 1.5 + random.uniform()));
        }
    }
    Generated::of(n_rows, 16, |row| {
        let (letter, centre, spread) = &forms[random.below(forms.len())];
        row.extend(centre.iter().map(|at| (at + spread * random.normal()).round().clamp(0.0, 15.0)));
        letter_name(*letter)
    })
}

/// Clouds that overlap, in 8 of 16 directions of space that no single column shows; one row in fifty is mislabelled.
pub fn blobs(n_rows: usize) -> Generated {
    let mut random = Random::new(27);
    let mixing: Vec<f64> = (0..16 * 8).map(|_| random.normal() / 8.0_f64.sqrt()).collect();
    let centres: Vec<f64> = (0..26 * 2 * 8).map(|_| 1.8 * random.normal()).collect();
    Generated::of(n_rows, 16, |row| {
        let cloud = random.below(26 * 2);
        let hidden: Vec<f64> = (0..8).map(|place| centres[cloud * 8 + place] + random.normal()).collect();
        row.extend(mixing.chunks(8).map(|factors| {
            factors.iter().zip(&hidden).map(|(factor, value)| factor * value).sum::<f64>()
                + 0.1 * random.normal()
        }));
        let letter = if random.uniform() < 0.02 { random.below(26) } else { cloud % 26 };
        letter_name(letter)
    })
}

/// Classes that follow from three columns together in each part of the table, and not from any alone; class 25 is rare.
pub fn interplay(n_rows: usize) -> Generated {
    let mut random = Random::new(28);
    Generated::of(n_rows, 16, |row| {
        let start = row.len();
        row.extend((0..16).map(|_| random.uniform()));
        let x = &row[start..];
        let part = usize::from(x[0] > 0.4) * 2 + usize::from(x[1] > 0.6);
        let (a, b, c) = (x[2 + 3 * part], x[3 + 3 * part], x[4 + 3 * part]);
        let cell = usize::from((a > 0.5) != (b > 0.5)) * 3 + usize::from(c > 0.33) + usize::from(c > 0.66);
        let letter = if x[14] > 0.995 { 25 } else { part * 6 + cell };
        letter_name(if random.uniform() < 0.05 { random.below(24) } else { letter })
    })
}

/// Ten classes of few rows.
pub fn ten(n_rows: usize) -> Generated {
    let mut random = Random::new(29);
    let centres: Vec<f64> = (0..10 * 2 * 12).map(|_| 1.6 * random.normal()).collect();
    Generated::of(n_rows, 12, |row| {
        let cloud = random.below(10 * 2);
        row.extend((0..12).map(|column| centres[cloud * 12 + column] + 1.5 * random.normal()));
        letter_name(cloud % 10)
    })
}

fn letter_name(letter: usize) -> String {
    char::from(b'A' + letter as u8).to_string()
}
