/** A logo; the counter bell where there is none. */
export function MarkOf({ logoFile, size }: { logoFile: string; size: number }) {
  if (logoFile)
    return <img src={logoFile} alt="" width={size} height={size} style={{ objectFit: 'contain' }} />
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="8" r="2.2" fill="var(--tertiary)" />
      <path d="M6.5 20.5a9.5 9.5 0 0 1 19 0z" fill="var(--tertiary)" />
      <rect x="4.5" y="22.5" width="23" height="3.6" rx="1.8" fill="var(--frame-text)" />
    </svg>
  )
}
