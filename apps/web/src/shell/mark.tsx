import { useBranding } from './branding.ts'
import { MarkOf } from './mark-of.tsx'

/** The installation's logo, or the counter bell, where a company has no logo of its own. */
export function Mark({ size }: { size: number }) {
  const { logoFile } = useBranding()
  return <MarkOf logoFile={logoFile} size={size} />
}
