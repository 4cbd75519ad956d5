//! A door opens what it names: each fact of the head, each row of its list, and what they count.

use serde::Deserialize;

use crate::support::{Exported, Page};

/// A list of the head, with what its fact and its title count.
#[derive(Debug, Deserialize)]
struct List {
    name: String,
    fact: String,
    title: String,
    rows: usize,
}

const LISTS: &str = "Array.from(document.querySelectorAll('#head [popovertarget]'), (fact) => {
    const list = document.getElementById(fact.getAttribute('popovertarget'));
    return {
        name: fact.getAttribute('popovertarget').slice('list-'.length),
        fact: fact.querySelector('b').textContent,
        title: list.querySelector('h2 span').textContent,
        rows: list.querySelectorAll('li').length,
    };
})";

/// Where a row leads: the entry, the file, and its lines.
fn row(page: &Page, name: &str, nth: usize) -> (String, Option<String>, Vec<String>) {
    page.get(&format!(
        "(() => {{
            const row = document.querySelectorAll('#list-{name} li')[{nth}];
            const link = row.querySelector('a');
            return [link.getAttribute('href').slice('#entry-'.length), link.dataset.goTo ?? null, Array.from(row.querySelectorAll('ins, del'), (lines) => lines.textContent)];
        }})()"
    ))
}

/// Opens each row of each list; gives the names of the lists.
fn walk(exported: &Exported) -> Vec<String> {
    let page = exported.page().open("");
    let lists: Vec<List> = page.get(LISTS);
    for List { name, fact, title, rows } in &lists {
        assert_eq!((fact, fact), (title, &rows.to_string()), "{name}");
        for nth in 0..*rows {
            let page = exported.page().open("");
            let (key, file, lines) = row(&page, name, nth);
            page.click(&format!("#head [data-fact={name}] button"));
            page.run(&format!(
                "document.querySelectorAll('#list-{name} li')[{nth}].querySelector('a').click()"
            ));
            if let Some(file) = file {
                let shown =
                    format!("document.querySelector('#changes section[data-file={file:?}]')");
                page.wait(&file, &format!("{shown}?.checkVisibility() === true"));
                page.wait(&file, &format!("((box) => box.top >= 0 && box.top < innerHeight)({shown}.getBoundingClientRect())"));
                // Where other branches edited the file, too, the lines of this one stand by themselves.
                let counts = format!(
                    "Array.from(({shown}.querySelector('.file-note > .counts') ?? {shown}.querySelector('.file-head')).querySelectorAll('ins, del'), (lines) => lines.textContent)"
                );
                assert_eq!(page.get::<Vec<String>>(&counts), lines, "{file}");
            } else {
                page.wait_until_in_view(&key);
                let text = page.text(&format!("[id=\"entry-{key}\"]"));
                let marked = page.count(
                    "#tree .row:is([aria-selected=true], [aria-current]):is(.failed, .stopped)",
                );
                match name.as_str() {
                    "failures" | "stops" => assert!(marked > 0, "{name}: {text}"),
                    "commits" => {
                        let hash: String = page.get(&format!(
                            "document.querySelectorAll('#list-commits a')[{nth}]?.textContent ?? ''"
                        ));
                        assert!(text.contains(&hash), "{hash}: {text}");
                    }
                    _ => {}
                }
            }
        }
    }
    lists.into_iter().map(|list| list.name).collect()
}

#[test]
fn of_a_conversation() {
    let names = walk(&Exported::file("examples/lighthouse.jsonl"));
    assert_eq!(names, ["files", "commits", "failures"]);
}

#[test]
fn of_landmarks() {
    assert_eq!(walk(&Exported::story(crate::landmarks::session())), ["commits", "failures"]);
}

#[test]
fn of_stops() {
    assert_eq!(walk(&Exported::story(crate::stops::STOPPED.into())), ["stops"]);
}

#[test]
fn of_changes() {
    assert_eq!(walk(&Exported::story(crate::changes_places::session())), ["files", "failures"]);
}

#[test]
fn of_sub_agents() {
    assert_eq!(walk(&crate::subsessions::family()), ["sub-agents"]);
}
