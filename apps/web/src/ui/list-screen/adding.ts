import { createContext } from 'react'

/** How a row is added to the surrounding list; null without the right. */
export const Adding = createContext<(() => void) | null>(null)
