//! Columns of texts as codes: each distinct text once, in the order of their first occurrence.

use ahash::RandomState;
use hashbrown::HashMap;
use lire::table::MISSING;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyString};
use rayon::prelude::*;

use crate::work::briefly;

/// Rows that one thread takes at a time.
const BLOCK: usize = 1 << 16;

/// How many objects are remembered.
const REMEMBERED: usize = 1 << 12;

/// The code of each cell and the texts.
type Coded<'py> = (Bound<'py, PyArray1<u32>>, Vec<String>);

/// Texts that lie behind each other as bytes: row `i` from `offsets[i]` to `offsets[i + 1]`. This is how Arrow keeps
/// them. Where `missing` says so there is none.
#[pyfunction]
#[pyo3(signature = (offsets, bytes, missing=None, *, n_threads=0))]
pub fn encode_texts<'py>(
    py: Python<'py>,
    offsets: PyReadonlyArray1<'py, i64>,
    bytes: PyReadonlyArray1<'py, u8>,
    missing: Option<PyReadonlyArray1<'py, bool>>,
    n_threads: usize,
) -> PyResult<Coded<'py>> {
    let (offsets, bytes) = (offsets.as_slice()?, bytes.as_slice()?);
    let missing = missing.as_ref().map(PyReadonlyArray1::as_slice).transpose()?;
    let n_rows = offsets.len().saturating_sub(1);
    if missing.is_some_and(|missing| missing.len() != n_rows) {
        return Err(PyValueError::new_err("as many flags as texts are needed"));
    }
    let text = |row: usize| -> Option<&[u8]> {
        let range = usize::try_from(offsets[row]).ok()?..usize::try_from(offsets[row + 1]).ok()?;
        if missing.is_some_and(|missing| missing[row]) { None } else { bytes.get(range) }
    };
    let encoded = briefly(py, n_threads, || Ok(encode(n_rows, text)))?;
    let names = encoded.texts.into_iter().map(|text| String::from_utf8_lossy(text).into_owned());
    Ok((PyArray1::from_vec(py, encoded.codes), names.collect()))
}

/// The text that stands for a number, as in files.
#[pyfunction]
pub fn text_of_number(number: f64) -> String {
    lire::table::text_of_number(number)
}

/// Python's texts. `None`, NaN and the missing value of pandas are missing; with any other object there are no codes.
#[pyfunction]
pub fn encode_objects<'py>(
    py: Python<'py>,
    cells: PyReadonlyArray1<'py, Py<PyAny>>,
) -> PyResult<Option<Coded<'py>>> {
    // Tables repeat few texts, and often the very objects: of some of these it is remembered where they are.
    let mut remembered = vec![(0, MISSING); REMEMBERED];
    let mut of_text: HashMap<String, u32, RandomState> = HashMap::default();
    let mut texts = Vec::new();
    let mut codes = Vec::with_capacity(cells.len()?);
    for cell in cells.as_array() {
        let place = cell.as_ptr() as usize;
        let memory = &mut remembered[(place / align_of::<usize>()) % REMEMBERED];
        if memory.0 == place {
            codes.push(memory.1);
            continue;
        }
        let code = match cell.bind(py).cast::<PyString>() {
            Ok(text) => *of_text.entry_ref(text.to_str()?).or_insert_with(|| {
                texts.push(text.to_string());
                texts.len() as u32 - 1
            }),
            Err(_) if is_missing(cell.bind(py))? => MISSING,
            Err(_) => return Ok(None),
        };
        *memory = (place, code);
        codes.push(code);
    }
    Ok(Some((PyArray1::from_vec(py, codes), texts)))
}

fn is_missing(cell: &Bound<'_, PyAny>) -> PyResult<bool> {
    if let Ok(number) = cell.cast::<PyFloat>() {
        return Ok(number.extract::<f64>()?.is_nan());
    }
    Ok(cell.is_none() || cell.get_type().name()? == "NAType")
}

/// Cells as places in a list of distinct texts.
struct Encoded<'a> {
    codes: Vec<u32>,
    texts: Vec<&'a [u8]>,
}

/// Distinct texts with their codes.
#[derive(Default)]
struct Numbering<'a> {
    codes: HashMap<&'a [u8], u32, RandomState>,
    texts: Vec<&'a [u8]>,
}

impl<'a> Numbering<'a> {
    fn code(&mut self, text: &'a [u8]) -> u32 {
        *self.codes.entry(text).or_insert_with(|| {
            self.texts.push(text);
            self.texts.len() as u32 - 1
        })
    }
}

/// Block by block, each with codes of its own; these are then made those of all.
fn encode<'a>(n_rows: usize, text: impl Fn(usize) -> Option<&'a [u8]> + Sync) -> Encoded<'a> {
    let of_block = |block: usize| {
        let mut numbering = Numbering::default();
        let rows = block * BLOCK..n_rows.min((block + 1) * BLOCK);
        let codes = rows.map(|row| text(row).map_or(MISSING, |text| numbering.code(text))).collect();
        Encoded { codes, texts: numbering.texts }
    };
    let blocks: Vec<Encoded> = (0..n_rows.div_ceil(BLOCK)).into_par_iter().map(of_block).collect();

    let mut numbering = Numbering::default();
    let mut codes_of_all =
        |block: &Encoded<'a>| -> Vec<u32> { block.texts.iter().map(|text| numbering.code(text)).collect() };
    let new_codes: Vec<Vec<u32>> = blocks.iter().map(&mut codes_of_all).collect();
    let mut codes = vec![MISSING; n_rows];
    let of_blocks = codes.par_chunks_mut(BLOCK).zip(&blocks).zip(&new_codes);
    of_blocks.for_each(|((codes, block), new_codes)| {
        for (code, &old) in codes.iter_mut().zip(&block.codes) {
            // What is missing has no code in the block either.
            *code = new_codes.get(old as usize).copied().unwrap_or(MISSING);
        }
    });
    Encoded { codes, texts: numbering.texts }
}
