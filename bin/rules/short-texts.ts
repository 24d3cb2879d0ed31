const BOUNDED = 'every repetition has a bound: the answer of a model costs at most 300 times its length'

/** Why an expression that costs more than the length of its text may stay, by file and expression: its text is short. */
export const READS_LITTLE: Record<string, Record<string, string>> = {
  'packages/contract/src/markdown.rules.ts': {
    '!\\[([^\\]\\n]{0,300})\\]\\((https?:\\/\\/[^\\s)]{1,2000})(?: [^)\\n]{0,200})?\\)': BOUNDED,
    '\\[([^\\]\\n]{1,300})\\]\\(((?:https?:\\/\\/|mailto:|tel:)[^\\s)]{1,2000})(?: [^)\\n]{0,200})?\\)':
      BOUNDED,
  },
  'apps/server/src/features/contactSheets/contactSheets.rules.ts': {
    '^[^\\s@]+@[^\\s@]+\\.[^\\s@]{2,}$': 'at most 200 letters, looked at first in the same line',
  },
}

/** Why a file builds expressions of texts: none is of a user, or it is escaped. */
export const BUILT: Record<string, string> = {
  'apps/server/src/channels/link-previews.ts':
    'three names of attributes in this file; a tag has at most 2,000 letters',
  'apps/server/src/platform/access/sealing-keys.ts':
    'the form of a sealed value, which is an expression of secrets.ts',
  'apps/server/src/platform/observe/log.ts': 'one list of names of fields in this file',
  'apps/web/src/features/locations/locations.point.ts': 'one form of a number in this file',
  'packages/contract/src/mentions.rules.ts':
    'names of members, escaped; what has no repetition costs no more than the names',
  'packages/contract/src/pages.rules.ts': 'the three paths in this file',
}
