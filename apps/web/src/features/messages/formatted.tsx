import { Fragment, type ReactNode } from 'react'

const MARKS: [RegExp, (inner: ReactNode) => ReactNode][] = [
  [/```([\s\S]+?)```/, inner => <code className="mono">{inner}</code>],
  [/(?<![\p{L}\d*])\*(?!\s)([^*\n]+?)(?<!\s)\*(?![\p{L}\d*])/u, inner => <strong>{inner}</strong>],
  [/(?<![\p{L}\d_])_(?!\s)([^_\n]+?)(?<!\s)_(?![\p{L}\d_])/u, inner => <em>{inner}</em>],
  [/(?<![\p{L}\d~])~(?!\s)([^~\n]+?)(?<!\s)~(?![\p{L}\d~])/u, inner => <s>{inner}</s>],
]
const LINK = /https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]]/

/** WhatsApp's marks and links as elements. Text is only ever text: nothing in it becomes markup. */
export function Formatted({ text }: { text: string }) {
  return <span style={{ whiteSpace: 'pre-wrap' }}>{linked(text)}</span>
}

/** Links first: an underscore inside an address is no mark. */
function linked(text: string): ReactNode {
  const found = LINK.exec(text)
  if (!found) return marked(text)
  const [address] = found
  return (
    <Fragment>
      {marked(text.slice(0, found.index))}
      <a href={address} target="_blank" rel="noopener noreferrer nofollow" style={{ color: 'inherit' }}>
        {address}
      </a>
      {linked(text.slice(found.index + address.length))}
    </Fragment>
  )
}

function marked(text: string): ReactNode {
  for (const [pattern, wrap] of MARKS) {
    const found = pattern.exec(text)
    if (!found) continue
    const [whole, inner = ''] = found
    return (
      <Fragment>
        {marked(text.slice(0, found.index))}
        {wrap(whole.startsWith('```') ? inner : marked(inner))}
        {marked(text.slice(found.index + whole.length))}
      </Fragment>
    )
  }
  return text
}
