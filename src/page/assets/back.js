new URLSearchParams(location.search).has("archive")&&((e=>{let r=document.getElementById(e);if(r===null)throw new Error(`the page has no #${e}`);return r})("all-sessions").hidden=!1);
