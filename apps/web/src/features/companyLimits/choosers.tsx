import { useQuery } from '@tanstack/react-query'
import { limitsOf } from './companyLimits.api.ts'
import { useLimitsText } from './companyLimits.text.ts'

/** Who chooses what rests, for an admin who does not see what the company pays. */
export default function Choosers({ companyId }: { companyId: number }) {
  const t = useLimitsText()
  const names = useQuery(limitsOf(companyId)).data?.choosers ?? []
  if (names.length === 0) return null
  return <>{t('choosers', { names: names.join(', ') })}</>
}
