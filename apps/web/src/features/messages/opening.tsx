import { Late } from '../../ui/late.tsx'
import classes from './conversation.module.css'
import { ConversationHeader, type ConversationHeaderProps } from './conversation-header.tsx'
import { useMessageText } from './messages.text.ts'
import skeleton from './opening.module.css'

/** A conversation whose messages have not come: who it is with stands there at once when a list knows it. */
export function Opening({ known }: { known?: ConversationHeaderProps }) {
  const t = useMessageText()
  return (
    <section
      className={classes.conversation}
      aria-label={known && t('conversation', { name: known.ticket.contact.name })}
      aria-busy
    >
      {known && <ConversationHeader {...known} />}
      <Skeletons />
    </section>
  )
}

const WIDTHS = [46, 62, 34, 54, 40]

function Skeletons() {
  return (
    <div className={skeleton.thread} aria-hidden>
      <Late>
        {WIDTHS.map((width, at) => (
          <span key={width} data-own={at % 2 === 1 || undefined} style={{ width: `${width}%` }} />
        ))}
      </Late>
    </div>
  )
}
