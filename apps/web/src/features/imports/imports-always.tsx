import { useEffect } from 'react'
import { followImports } from './imports.live.ts'

export function ImportsAlways() {
  useEffect(followImports, [])
  return null
}
