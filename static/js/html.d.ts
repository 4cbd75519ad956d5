/** The bundler puts the text of a template in the place of its import. */
declare module "*.html" {
    const markup: string;
    export default markup;
}
