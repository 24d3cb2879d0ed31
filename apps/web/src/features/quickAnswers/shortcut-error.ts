import { type ReactNode, useState } from 'react'
import { ApiError } from '../../platform/call.ts'
import { useOwnerText } from './quickAnswers.owners.text.ts'

/** What is wrong with a shortcut: where another answer has it, that answer is quoted. */
export function useShortcutError() {
  const t = useOwnerText()
  const [taken, setTaken] = useState<{ written: string; message: string } | null>(null)
  return {
    /** Throws what `save` throws. */
    async saving(written: string, save: () => Promise<unknown>) {
      setTaken(null)
      await save().catch(error => {
        if (error instanceof ApiError && error.code === 'ERR_NAME_EXISTS')
          setTaken({ written, message: String(error.details?.message ?? '') })
        throw error
      })
    },
    error(found: ReactNode, written: string): ReactNode {
      if (found === 'No spaces') return t('noSpaces')
      return found && taken?.written === written ? t('taken', taken) : found
    },
  }
}
