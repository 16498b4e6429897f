/**
 * Owns what is known of elements by their names. Leaves their nesting to nesting.ts, their text to the renderers.
 * Rule: data alone; an unknown element is transparent.
 */

function names(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

/** Never have content. */
export const VOID = names(
  "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr",
);

/** Their content is text up to their own end tag. References are read in the second kind alone. */
export const RAW_TEXT = names("script style xmp iframe noembed noframes");
export const TEXT_WITH_REFERENCES = names("title textarea");

/** Begin on a line of their own. */
export const BLOCK = names(
  "address article aside blockquote caption center dd details dialog dir div dl dt fieldset figcaption figure " +
    "footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu nav ol p plaintext pre search " +
    "section summary table tbody td tfoot th thead tr ul xmp",
);

export const HEADING = names("h1 h2 h3 h4 h5 h6");

/** What a form is filled in with. */
export const CONTROL = names("input select textarea button datalist output progress meter keygen");

/** Shown by something other than text. */
export const EMBEDDED = names("iframe embed object applet video audio canvas frame");

/** Mark what they hold, and often stand around what they should not. */
export const FORMATTING = names(
  "a abbr b big cite code del em font i ins kbd mark nobr q s samp small strike strong sub sup tt u var",
);
