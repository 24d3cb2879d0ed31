/** Rows of a kind in the browser (IndexedDB); every call may fail: in a private window, without space. */
export interface Stored<T> {
  all(): Promise<T[]>
  put(row: T): Promise<unknown>
  remove(key: string): Promise<unknown>
}

/** One database for each kind: a page of an earlier version that is still open does not block a new kind. */
export function stored<T>(database: string, kind: string, keyPath: keyof T & string): Stored<T> {
  let opened: Promise<IDBDatabase> | null = null

  function open(): Promise<IDBDatabase> {
    opened ??= new Promise<IDBDatabase>((resolve, reject) => {
      const asked = indexedDB.open(database, 1)
      asked.onupgradeneeded = () => asked.result.createObjectStore(kind, { keyPath })
      asked.onsuccess = () => resolve(asked.result)
      asked.onerror = () => reject(asked.error)
    })
    opened.catch(() => {
      opened = null
    })
    return opened
  }

  async function ask<R>(mode: IDBTransactionMode, act: (rows: IDBObjectStore) => IDBRequest<R>): Promise<R> {
    const rows = (await open()).transaction(kind, mode)
    return new Promise((resolve, reject) => {
      const asked = act(rows.objectStore(kind))
      asked.onsuccess = () => resolve(asked.result)
      asked.onerror = () => reject(asked.error)
      // as where there is no space left
      rows.onabort = () => reject(rows.error)
    })
  }

  return {
    all: () => ask<T[]>('readonly', rows => rows.getAll()),
    put: row => ask('readwrite', rows => rows.put(row)),
    remove: key => ask('readwrite', rows => rows.delete(key)),
  }
}
