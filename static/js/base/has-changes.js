/** @returns {boolean} whether the session edited files */
export function hasChanges() {
    return document.getElementById("changes-data") !== null;
}
