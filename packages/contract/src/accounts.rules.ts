/** What the documents allow at least; an installation asks for more (`passwordLength` of Branding). */
export const LEAST_PASSWORD = 5
export const MOST_PASSWORD = 50
/** What is asked for where the operator set nothing. */
export const USUAL_PASSWORD = 8
