import type { SignalDataTypeMap, SignalKeyStore } from 'baileys'

/** A Signal key store that forgets everything with the process. */
export function memoryKeys(): SignalKeyStore {
  const rows = new Map<string, unknown>()
  return {
    async get<T extends keyof SignalDataTypeMap>(type: T, ids: string[]) {
      const found: Record<string, SignalDataTypeMap[T]> = {}
      for (const id of ids) {
        const value = rows.get(`${type} ${id}`)
        if (value !== undefined) found[id] = value as SignalDataTypeMap[T]
      }
      return found
    },
    async set(changes) {
      for (const [type, values] of Object.entries(changes)) {
        for (const [id, value] of Object.entries(values ?? {})) {
          if (value === null) rows.delete(`${type} ${id}`)
          else rows.set(`${type} ${id}`, value)
        }
      }
    },
    async clear() {
      rows.clear()
    },
  }
}
