//! Tables that cannot be used: exit code 3, one line that says where and what, and nothing written.

use crate::folder::Folder;

/// Fits column `y` of a file with this content.
fn fit(content: &[u8], options: &[&str], message: &str) {
    let folder = Folder::new();
    folder.write("x.csv", content);
    folder.lire(&[&["fit", "x.csv", "--target", "y"], options].concat()).fails(3, message);
    assert_eq!(folder.files(), ["x.csv"], "nothing is written");
}

#[test]
fn files_that_are_no_tables() {
    Folder::new().lire(&["fit", "none.csv", "--target", "y"]).fails(3, "none.csv: there is no such file");
    Folder::new().lire(&["fit", ".", "--target", "y"]).fails(3, "this is a directory");
    fit(b"", &[], "x.csv: the file is empty");
    fit(b"a,y\n", &[], "x.csv: there is a header but no row of data");
    fit(b"a,y\n1,no\n2\n3,yes\n", &[], "x.csv, line 3: 1 field, the header has 2");
    fit(b"a,y\n1,no\n2,\xe9\n", &[], "x.csv, line 3: there are bytes that are not UTF-8");
    fit(b"a,a,y\n1,2,no\n", &[], "two columns are named `a`");
    fit(b"PAR1 and nothing else", &[], "the Parquet file cannot be read");
    fit(b"a,y\n1,no\n\n\n2\n", &[], "x.csv, line 5: 1 field, the header has 2");
}

/// A decoder that panics is no mistake of ours: the one line is about the file.
#[test]
fn damage_that_a_decoder_panics_on() {
    let damaged = include_bytes!("fixtures/panics_in_decoder.parquet");
    fit(
        damaged,
        &[],
        "x.csv: the Parquet file cannot be read (column start and length should not be negative)",
    );
}

#[test]
fn names_that_are_not_there() {
    let data = b"age,yes\n1,no\n2,yes\n";
    fit(data, &[], "no column `y`");
    let data = b"age,y\n1,no\n2,yes\n";
    fit(data, &["--weight-column", "wait"], "no column `wait`");
    fit(data, &["--drop", "aeg"], "no column `aeg`; did you mean `age`?");
}

#[test]
fn targets_that_cannot_be_predicted() {
    fit(b"a,y\n1,no\n2,no\n", &[], "column `y`: every row is `no`; a target needs two classes");
    fit(b"a,y\n1,no\n2,yes\n3,maybe\n", &[], "3 of 3 classes have only one row");
    fit(b"a,y\n1,no\n2,yes\n3,no\n", &[], "class `yes` has only one row");
    fit(b"a,y\n1,2.5\n2,x\n", &["--task", "regression"], "column `y`, row 2: `x` is not a number");
    fit(b"a,y\n1,2\n2,2.0\n", &["--task", "regression"], "column `y`: every row is 2");
    fit(b"a,y\n1,no\n2,yes\n3,\n", &[], "--drop-missing-target");
}

#[test]
fn weights_that_weigh_nothing() {
    let weighted = |weights: [&str; 3]| {
        format!("a,y,w\n1,no,{}\n2,yes,{}\n3,yes,{}\n", weights[0], weights[1], weights[2])
    };
    let weight_column = ["--weight-column", "w"];
    fit(weighted(["1", "-1", "1"]).as_bytes(), &weight_column, "column `w`, row 2");
    fit(weighted(["1", "nan", "1"]).as_bytes(), &weight_column, "column `w`");
    fit(weighted(["1", "many", "1"]).as_bytes(), &weight_column, "column `w`, row 2");
    fit(weighted(["0", "0", "0"]).as_bytes(), &weight_column, "column `w`");
}

#[test]
fn numbers_that_are_none() {
    fit(b"a,y\n1,no\ninf,yes\n3,yes\n4,no\n", &["--numeric", "a"], "column `a`, row 2");
    fit(
        b"a,y\n1,no\nmany,yes\n3,yes\n4,no\n",
        &["--numeric", "a"],
        "column `a`, row 2: `many` is not a number",
    );
}
