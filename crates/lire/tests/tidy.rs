//! The house rules that no compiler checks: reading order, size, a header for every file, nothing left lying about.

// A test that cannot go on has failed.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

/// No file of the project is longer.
const MAX_LINES: usize = 500;

/// The sources of the crates whose modules have a reading order.
fn libraries() -> [PathBuf; 2] {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    ["lire-model", "lire"].map(|name| crates.join(name).join("src"))
}

/// All Rust files under a folder with their text, in the order of their paths.
fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push((path.clone(), std::fs::read_to_string(&path).unwrap()));
        }
    }
    found.sort();
    found
}

fn all_crates() -> Vec<(PathBuf, String)> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let found = sources(crates);
    assert!(found.len() > 50, "the crates are where they were");
    found
}

/// The modules in the order in which `lib.rs` declares them, which is the way of the data; first those that it lends
/// out from the crate below.
fn reading_order(library: &Path) -> Vec<String> {
    let lib = std::fs::read_to_string(library.join("lib.rs")).unwrap();
    let lent = |line: &str| {
        let list = line.strip_prefix("pub use lire_model::{")?.strip_suffix("};")?;
        Some(list.split(", ").map(str::to_owned).collect::<Vec<String>>())
    };
    let declared = |line: &str| line.strip_prefix("pub mod ")?.strip_suffix(';').map(str::to_owned);
    lib.lines().filter_map(lent).flatten().chain(lib.lines().filter_map(declared)).collect()
}

/// The modules that a text names after `crate::`, also within braces.
fn modules_used(text: &str) -> Vec<String> {
    let is_name = |character: char| character.is_alphanumeric() || character == '_';
    let first_name =
        |text: &str| text.chars().take_while(|&character| is_name(character)).collect::<String>();
    let mut used = Vec::new();
    for (at, _) in text.match_indices("crate::") {
        // `$crate::` and `other_crate::` are something else.
        if text[..at].chars().next_back().is_some_and(is_name) {
            continue;
        }
        let rest = &text[at + "crate::".len()..];
        match rest.strip_prefix('{') {
            None => used.push(first_name(rest)),
            Some(list) => {
                let mut depth = 0;
                let mut item_begins = true;
                for (at, character) in list.char_indices() {
                    if item_begins && depth == 0 && !character.is_whitespace() {
                        used.push(first_name(&list[at..]));
                        item_begins = false;
                    }
                    match character {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => item_begins = true,
                        _ => {}
                    }
                }
            }
        }
    }
    used
}

/// The top module that a file belongs to.
fn module_of(library: &Path, path: &Path) -> String {
    let relative = path.strip_prefix(library).unwrap();
    let first = relative.components().next().unwrap().as_os_str().to_string_lossy().into_owned();
    first.trim_end_matches(".rs").to_owned()
}

#[test]
fn a_module_uses_only_modules_above_it() {
    let mut wrong = Vec::new();
    for library in libraries() {
        wrong.extend(upward_paths(&library));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The search asks rows only what any store of rows can answer. Where rows are in memory is known to that store, to what
/// makes a problem of it, and to the l1 solver.
#[test]
fn the_search_knows_nothing_of_coverage() {
    let [_, learning] = libraries();
    let solver = learning.join("solver");
    let searching = sources(&solver).into_iter().filter(|(path, _)| {
        let place = path.strip_prefix(&solver).unwrap();
        !(place.starts_with("rows") || place.starts_with("l1") || place.ends_with("problem.rs"))
    });
    let files: Vec<(PathBuf, String)> = searching.collect();
    assert!(files.len() > 10, "the search is where it was");
    for (path, text) in files {
        assert!(!modules_used(&text).contains(&"coverage".to_owned()), "{} uses coverage", path.display());
    }
}

fn upward_paths(library: &Path) -> Vec<String> {
    let order = reading_order(library);
    let place = |module: &str| order.iter().position(|other| other == module);
    let mut wrong = Vec::new();
    for (path, text) in sources(library) {
        let module = module_of(library, &path);
        if module == "lib" {
            continue;
        }
        let here = place(&module).unwrap_or_else(|| panic!("`lib.rs` declares no `{module}`"));
        for used in modules_used(&text) {
            // What is no module is a name that `lib.rs` lends out, which inside the crate only hides the way.
            if place(&used).is_none_or(|there| there > here) {
                wrong.push(format!("{} uses `crate::{used}`", path.display()));
            }
        }
    }
    wrong
}

#[test]
fn paths_are_found_inline_and_in_braces() {
    let text = "use crate::table::Table; crate::{rules::{a, b}, solver, model::x}; $crate::y; mycrate::z";
    assert_eq!(modules_used(text)[..4], ["table", "rules", "solver", "model"]);
    assert_eq!(modules_used("mycrate::z"), Vec::<String>::new());
}

#[test]
fn files_are_short_and_begin_with_what_they_are() {
    let mut wrong = Vec::new();
    for (path, text) in all_crates() {
        if text.lines().count() > MAX_LINES {
            wrong.push(format!("{}: more than {MAX_LINES} lines", path.display()));
        }
        // A crate's README is its header.
        let has_header =
            text.starts_with("//! ") || text.starts_with("#![doc = include_str!(\"../README.md\")]\n//!");
        if !has_header {
            wrong.push(format!("{}: no `//!` header in the first line", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The files and folders of the project that a page names between backticks.
fn paths_named(page: &str) -> Vec<&str> {
    let is_path = |word: &&str| {
        ["crates/", "python/", "docs/"].iter().any(|folder| word.starts_with(folder))
            && !word.contains("NAME")
    };
    page.split('`').skip(1).step_by(2).filter(is_path).collect()
}

#[test]
fn pages_for_developers_name_files_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let pages = std::fs::read_dir(root.join("docs/extending")).unwrap();
    let mut n_paths = 0;
    for page in pages.map(|page| page.unwrap().path()) {
        let text = std::fs::read_to_string(&page).unwrap();
        for path in paths_named(&text) {
            n_paths += 1;
            assert!(root.join(path).exists(), "{}: there is no `{path}`", page.display());
        }
    }
    assert!(n_paths > 20, "the pages are where they were");
}

/// What ARCHITECTURE.md names between backticks that looks like a file, a folder, or the beginning of one.
fn rooms_named(page: &str) -> Vec<&str> {
    let words = page.split('`').skip(1).step_by(2).flat_map(str::split_whitespace);
    let is_path = |word: &&str| {
        let is_file = [".rs", ".py", ".pyi", ".md"].iter().any(|ending| word.ends_with(ending));
        is_file || word.contains('/') || word.ends_with('/')
    };
    words.filter(is_path).collect()
}

#[test]
fn the_architecture_names_rooms_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    // Rooms of a crate or of the Python package are named by their paths within it.
    let within =
        ["", "crates", "crates/lire", "crates/lire/src", "crates/lire-model/src", "crates/lire-cli/src"];
    let within: Vec<&str> = within.into_iter().chain(["crates/lire/src/solver", "python/src/lire"]).collect();
    let rooms = rooms_named(&page);
    assert!(rooms.len() > 60, "the rooms are named as they were");
    for room in rooms {
        let exists = within.iter().any(|folder| root.join(folder).join(room).exists())
            || ["src", ""].iter().any(|src| in_crate(&root, room, src));
        assert!(exists, "ARCHITECTURE.md: there is no `{room}`");
    }
}

/// Whether a path such as `lire-model/src/explain/` or `lire-cli/args/fit_options.rs` begins with the name of a crate.
fn in_crate(root: &Path, path: &str, src: &str) -> bool {
    let Some((name, rest)) = path.split_once('/') else { return false };
    root.join("crates").join(name).join(src).join(rest).exists()
}

#[test]
fn the_library_prints_nothing_and_leaves_nothing_undone() {
    let forbidden = ["todo!", "unimplemented!", "dbg!", "println!", "print!", "eprintln!", "eprint!"];
    let mut wrong = Vec::new();
    for (path, text) in libraries().iter().flat_map(|library| sources(library)) {
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            if forbidden.iter().any(|word| code.contains(word)) {
                wrong.push(format!("{}:{}: {}", path.display(), number + 1, line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Messages of the libraries name options plainly; how they are typed is for the command to know.
#[test]
fn libraries_know_no_flags_of_the_command() {
    let is_flag = |line: &str| {
        line.match_indices("--").any(|(at, _)| {
            let before = line[..at].chars().next_back();
            let after = line[at + 2..].chars().next();
            before != Some('-') && after.is_some_and(|sign| sign.is_ascii_lowercase())
        })
    };
    for library in libraries() {
        for (path, text) in sources(&library) {
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let flags = code.lines().filter(|line| !line.trim_start().starts_with("//") && is_flag(line));
            let flags: Vec<&str> = flags.filter(|_| !path.ends_with("tests.rs")).collect();
            assert!(flags.is_empty(), "{}: {flags:?}", path.display());
        }
    }
}
