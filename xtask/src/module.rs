//! Reads one ES module: what it imports, exports and declares.

use oxc_allocator::Allocator;
use oxc_ast::ast::{
    Declaration, ImportDeclaration, ImportDeclarationSpecifier, Program, Statement,
};
use oxc_parser::Parser;
use oxc_semantic::SemanticBuilder;
use oxc_span::{GetSpan, SourceType, Span};

/// Why a file is no module that the bundler can join to others.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ModuleError {
    #[error("failed to parse `{path}`: {reason}")]
    Syntax { path: String, reason: String },
    #[error(
        "`{path}` has {what}: the bundler only reads `import {{ name }} from` and `export` before a declaration"
    )]
    Unsupported { path: String, what: &'static str },
}

/// One module, without its imports and the word `export`.
#[derive(Debug)]
pub(crate) struct Module {
    /// Within the folder of all modules, with `/`.
    pub(crate) path: String,
    pub(crate) code: String,
    pub(crate) imports: Vec<Import>,
    pub(crate) exports: Vec<String>,
    pub(crate) declares: Vec<String>,
    /// Names that it neither declares nor imports.
    pub(crate) foreign: Vec<String>,
}

/// The names that a module imports from another.
#[derive(Debug)]
pub(crate) struct Import {
    pub(crate) path: String,
    pub(crate) names: Vec<String>,
}

/// Reads one module.
pub(crate) fn read(path: &str, text: &str) -> Result<Module, ModuleError> {
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, text, SourceType::mjs()).parse();
    if let Some(error) = parsed.errors.first() {
        return Err(ModuleError::Syntax { path: path.to_owned(), reason: error.to_string() });
    }
    let mut module = Module {
        path: path.to_owned(),
        code: String::with_capacity(text.len()),
        imports: Vec::new(),
        exports: Vec::new(),
        declares: Vec::new(),
        foreign: foreign_names(&parsed.program),
    };
    let unsupported = |what| ModuleError::Unsupported { path: path.to_owned(), what };
    let mut removed: Vec<Span> = Vec::new();
    for statement in &parsed.program.body {
        match statement {
            Statement::ImportDeclaration(import) => {
                module.imports.push(read_import(path, import).map_err(unsupported)?);
                removed.push(import.span);
            }
            Statement::ExportNamedDeclaration(export) => {
                let declaration =
                    export.declaration.as_ref().ok_or_else(|| unsupported("a list of exports"))?;
                let names = declared_names(declaration);
                module.exports.extend(names.iter().cloned());
                module.declares.extend(names);
                removed.push(Span::new(export.span.start, declaration.span().start));
            }
            Statement::ExportDefaultDeclaration(_) => return Err(unsupported("a default export")),
            Statement::ExportAllDeclaration(_) => return Err(unsupported("an `export *`")),
            other => {
                module
                    .declares
                    .extend(other.as_declaration().map(declared_names).unwrap_or_default());
            }
        }
    }
    let mut kept = 0;
    for span in removed {
        module.code.push_str(&text[kept..span.start as usize]);
        kept = span.end as usize;
    }
    module.code.push_str(&text[kept..]);
    Ok(module)
}

fn foreign_names(program: &Program<'_>) -> Vec<String> {
    let built = SemanticBuilder::new().build(program);
    let unresolved = built.semantic.scoping().root_unresolved_references();
    unresolved.keys().map(ToString::to_string).collect()
}

fn read_import(importer: &str, import: &ImportDeclaration<'_>) -> Result<Import, &'static str> {
    let specifiers = import.specifiers.as_ref().ok_or("an import without names")?;
    let mut names = Vec::new();
    for specifier in specifiers {
        match specifier {
            ImportDeclarationSpecifier::ImportSpecifier(specifier) => {
                if specifier.imported.name() != specifier.local.name {
                    return Err("an import under another name");
                }
                names.push(specifier.local.name.to_string());
            }
            ImportDeclarationSpecifier::ImportDefaultSpecifier(_) => {
                return Err("an import of a default export");
            }
            ImportDeclarationSpecifier::ImportNamespaceSpecifier(_) => {
                return Err("an import of a namespace");
            }
        }
    }
    let path =
        resolved(importer, &import.source.value).ok_or("an import from outside its folder")?;
    Ok(Import { path, names })
}

/// The path of a module that another names by a relative one.
pub(crate) fn resolved(importer: &str, specifier: &str) -> Option<String> {
    if !specifier.starts_with("./") && !specifier.starts_with("../") {
        return None;
    }
    let mut parts: Vec<&str> = importer.split('/').collect();
    parts.pop();
    for part in specifier.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

fn declared_names(declaration: &Declaration<'_>) -> Vec<String> {
    match declaration {
        Declaration::FunctionDeclaration(function) => {
            function.id.iter().map(|id| id.name.to_string()).collect()
        }
        Declaration::ClassDeclaration(class) => {
            class.id.iter().map(|id| id.name.to_string()).collect()
        }
        Declaration::VariableDeclaration(variables) => {
            let declared = variables.declarations.iter();
            let identifiers = declared.flat_map(|one| one.id.get_binding_identifiers());
            identifiers.map(|identifier| identifier.name.to_string()).collect()
        }
        _ => Vec::new(),
    }
}
