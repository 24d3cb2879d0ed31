import { type Carried, carried } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfIntegrations: Carried[] = [
  carried('integrations', {
    plain: ['data_json', 'refused'],
    fresh: { api_token: seal => seal('') },
    set: { token_end: "''" },
  }),
]
