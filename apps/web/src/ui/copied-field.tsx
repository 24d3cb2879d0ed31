import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { texts } from '../platform/text.ts'
import classes from './copied-field.module.css'
import { PlainButton } from './plain/button.tsx'
import { PlainField } from './plain/field.tsx'

const useText = texts({
  copy: ['Copiar', 'Copy', 'Copiar'],
  copied: ['Copiado', 'Copied', 'Copiado'],
})

const SHOWN_MS = 1_000

/** A value to be copied to another system. */
export function CopiedField({ label, value }: { label: string; value: string }) {
  const t = useText()
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  // pages without https have no clipboard, and a browser may refuse: the value can be selected instead
  const copy = () =>
    navigator.clipboard?.writeText(value).then(
      () => setCopied(true),
      () => {},
    )
  const word = t(isCopied ? 'copied' : 'copy')
  const Icon = isCopied ? IconCheck : IconCopy
  return (
    <div className={classes.copied}>
      <PlainField className={classes.value} label={label} value={value} readOnly />
      <PlainButton
        quiet
        icon={<Icon size={16} aria-hidden />}
        onClick={() => void copy()}
        aria-label={`${word}: ${label}`}
      >
        {word}
      </PlainButton>
    </div>
  )
}
