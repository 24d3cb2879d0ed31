/** The combining marks of Latin scripts that folded() of the database removes too. */
const MARKS = /[\u0300-\u0304\u0306-\u0308\u030a\u030c\u0327\u0328]/g

/**
 * Sort and search key: lower case without accents, so that "conceicao" finds "Conceição". The database's function of
 * the same name is the same rule.
 */
export const folded = (words: string): string => words.normalize('NFD').toLowerCase().replace(MARKS, '')
