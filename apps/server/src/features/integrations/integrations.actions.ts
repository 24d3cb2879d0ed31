import { HIDDEN, type Integration, type IntegrationInput } from '@balcao/contract/integrations.ts'
import type { Secrets } from '../../platform/access/secrets.ts'
import { refuse } from '../../platform/errors.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import {
  deleteIntegration,
  findIntegration,
  insertIntegration,
  setRefused,
  updateIntegration,
} from './integrations.queries.ts'

const END = 4

/** Stores an address with its key. Refuses with ERR_BAD_REQUEST for the masked form of a stored key. */
export const addIntegration = (
  scope: Scope,
  secrets: Secrets,
  input: IntegrationInput,
): Promise<Integration> =>
  scope.transaction(tx => {
    if (input.apiToken.startsWith(HIDDEN)) return noKey()
    return insertIntegration(tx, { ...input, ...sealedKey(tx, secrets, input.apiToken) })
  })

/** Refuses with ERR_NOT_FOUND, and with ERR_BAD_REQUEST where the stored key would be sent to another address. */
export const changeIntegration = (
  scope: Scope,
  secrets: Secrets,
  integrationId: number,
  input: IntegrationInput,
): Promise<Integration> =>
  scope.transaction(async tx => {
    const { apiToken, ...fields } = input
    const known = await findIntegration(tx, integrationId)
    const moved = known.apiUrl !== fields.apiUrl
    if (!apiToken.startsWith(HIDDEN))
      return updateIntegration(tx, integrationId, {
        ...fields,
        ...sealedKey(tx, secrets, apiToken),
        ...(moved && { refused: {} }),
      })
    return moved ? noKey() : updateIntegration(tx, integrationId, fields)
  })

/** Refuses with ERR_NOT_FOUND. */
export const removeIntegration = (scope: Scope, integrationId: number): Promise<void> =>
  scope.transaction(tx => deleteIntegration(tx, integrationId))

/** A model may take later what it refuses now. */
const REFUSED_DAYS = 7

/** Remembers arguments that a model refuses a company, so that they are not sent again for some days. */
export const rememberRefused = (scope: Scope, integrationId: number, key: string, names: string[]) =>
  scope.transaction(tx => setRefused(tx, integrationId, key, names, REFUSED_DAYS))

const sealedKey = ({ companyId }: Tx, secrets: Secrets, apiToken: string) => ({
  apiToken: secrets.seal(companyId, apiToken),
  tokenEnd: apiToken.length > 2 * END ? apiToken.slice(-END) : '',
})

const noKey = () => refuse('ERR_BAD_REQUEST', { field: 'apiToken', message: 'Required' })
