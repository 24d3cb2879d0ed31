import { createContext } from 'react'

/** How a form begins again with the row as it is now, and with what is carried over from before. */
export const Anew = createContext<{
  carried: object | null
  again: ((carried: object) => void) | null
}>({ carried: null, again: null })
