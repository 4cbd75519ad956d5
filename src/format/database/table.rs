//! Tables of a database, and values of their rows.

use std::collections::HashSet;

use rusqlite::{Connection, OptionalExtension as _, Row};

use super::DatabaseError;

/// A table, and the columns that it has of those that are read.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) name: &'static str,
    columns: HashSet<String>,
}

impl Table {
    /// The table of this name, unless it is a view or something else that computes its rows.
    pub(crate) fn find(
        connection: &Connection,
        name: &'static str,
        needed: &[&str],
    ) -> Result<Option<Table>, DatabaseError> {
        let kind = "SELECT type, sql FROM main.sqlite_schema WHERE name = ?1";
        let found = connection.query_row(kind, [name], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?.unwrap_or_default()))
        });
        let Some((kind, sql)) = found.optional()? else { return Ok(None) };
        let is_virtual = || {
            let mut words = sql.split_ascii_whitespace().skip(1);
            words.next().is_some_and(|word| word.eq_ignore_ascii_case("virtual"))
        };
        if kind != "table" || is_virtual() {
            return Err(DatabaseError::NotAnAgents(format!("`{name}` is not a table")));
        }
        // Hidden are columns that are computed.
        let columns = "SELECT name FROM pragma_table_xinfo(?1) WHERE hidden = 0";
        let mut columns = connection.prepare(columns)?;
        let columns = columns.query_map([name], |row| row.get::<_, String>(0))?;
        let columns = columns.collect::<Result<HashSet<String>, _>>()?;
        if let Some(missing) = needed.iter().find(|column| !columns.contains(**column)) {
            let reason = format!("the table `{name}` has no column `{missing}`");
            return Err(DatabaseError::NotAnAgents(reason));
        }
        Ok(Some(Table { name, columns }))
    }

    /// The column, or null where the table has none of that name.
    pub(crate) fn column(&self, name: &'static str) -> &'static str {
        if self.columns.contains(name) { name } else { "NULL" }
    }
}

/// A text; numbers as their text, anything else as nothing.
pub(crate) fn text(row: &Row<'_>, at: usize) -> Result<Option<String>, DatabaseError> {
    use rusqlite::types::ValueRef;
    Ok(match row.get_ref(at)? {
        ValueRef::Text(text) => Some(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(number.to_string()),
        ValueRef::Null | ValueRef::Blob(_) => None,
    })
}
