import { unchargedReasonOf } from '@balcao/contract/ledger.rules.ts'
import { useUnchargedText } from './autopay.uncharged.text.ts'

/** Puts a reason of the platform into words; those of a provider are shown as they are. */
export function useUncharged(): (problem: string) => string {
  const t = useUnchargedText()
  return problem => {
    const reason = unchargedReasonOf(problem)
    return reason ? t(reason) : problem
  }
}
