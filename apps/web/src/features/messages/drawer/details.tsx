import type { Ticket } from '@balcao/contract/tickets.ts'
import { Button } from '@mantine/core'
import { IconArrowMerge, IconCalendarPlus, IconMail, IconPencil, IconPhone } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { phoneText } from '../../../platform/phone.ts'
import { useMay } from '../../../platform/session.tsx'
import { Avatar } from '../../../ui/avatar.tsx'
import { Pill } from '../../../ui/chip.tsx'
import { soon } from '../../../ui/soon.tsx'
import { ContactDialog } from '../../contacts/contact.dialog.tsx'
import { TagEditor } from '../../tags/tag-editor.tsx'
import { Categories } from './categories.tsx'
import { contactOptions } from './drawer.api.ts'
import classes from './drawer.module.css'
import { useDrawerText } from './drawer.text.ts'
import { EarlierTickets } from './earlier-tickets.tsx'
import { Files } from './files.tsx'
import { Owner } from './owner.tsx'
import { Schedules } from './schedules.tsx'

const ScheduleDialog = soon(() => import('../../schedules/schedule.dialog.tsx'))
const MergeDialog = soon(() => import('../../contactMerges/merge.dialog.tsx'))

/** All data of the customer, in one scroll area. */
export default function Details({ ticket, onJump }: { ticket: Ticket; onJump(messageId: string): void }) {
  const t = useDrawerText()
  const { data: contact } = useQuery(contactOptions(ticket.contactId))
  const extra = contact?.extraInfo ?? []
  return (
    <div className={classes.scroll}>
      <Person ticket={ticket} />
      <section className={classes.section}>
        <h3>{t('tags')}</h3>
        <div className={classes.pills}>
          {ticket.tags.map(tag => (
            <Pill key={tag.id} label={tag.name} color={tag.color} />
          ))}
          <TagEditor ticket={ticket} />
        </div>
      </section>
      {contact && !contact.isGroup && <Categories contact={contact} />}
      {contact && !contact.isGroup && <Owner contact={contact} />}
      {extra.length > 0 && (
        <section className={classes.section}>
          <h3>{t('extra')}</h3>
          <dl className={classes.extra}>
            {extra.map(({ id, name, value }) => (
              <div key={id} style={{ display: 'contents' }}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      <Schedules key={`schedules ${ticket.contactId}`} ticket={ticket} />
      <EarlierTickets key={`tickets ${ticket.id}`} ticket={ticket} />
      <Files key={`files ${ticket.id}`} ticket={ticket} onJump={onJump} />
    </div>
  )
}

/** How the customer is called and reached. */
function Person({ ticket }: { ticket: Ticket }) {
  const t = useDrawerText()
  const { contact, isGroup } = ticket
  const { id, name, number, lid, email } = contact
  const [isEditing, setEditing] = useState(false)
  const [isPlanning, setPlanning] = useState(false)
  const [isMerging, setMerging] = useState(false)
  const mayMerge = useMay('contacts-page:deleteContact') && !isGroup
  return (
    <section className={`${classes.section} ${classes.person}`}>
      <Avatar name={name} isGroup={isGroup} size={52} />
      <p className={classes.name}>{phoneText(name)}</p>
      {!isGroup && <p className={classes.fact}>{number ? phoneText(number) : t('noNumber')}</p>}
      {lid && (
        <p className={classes.fact}>
          {t('lid')} <span className="mono">{lid}</span>
        </p>
      )}
      {email && <p className={classes.fact}>{email}</p>}
      <div className={classes.links}>
        {number && !isGroup && (
          <Button
            component="a"
            href={`tel:+${number}`}
            variant="default"
            size="xs"
            leftSection={<IconPhone size={15} />}
          >
            {t('call')}
          </Button>
        )}
        {email && (
          <Button
            component="a"
            href={`mailto:${email}`}
            variant="default"
            size="xs"
            leftSection={<IconMail size={15} />}
          >
            {t('mail')}
          </Button>
        )}
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPencil size={15} />}
          onClick={() => setEditing(true)}
        >
          {t('edit')}
        </Button>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconCalendarPlus size={15} />}
          onClick={() => setPlanning(true)}
        >
          {t('addSchedule')}
        </Button>
        {mayMerge && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconArrowMerge size={15} />}
            onClick={() => setMerging(true)}
          >
            {t('merge')}
          </Button>
        )}
      </div>
      {isMerging && <MergeDialog contact={{ id, name }} onClose={() => setMerging(false)} />}
      {isEditing && <ContactDialog id={id} onClose={() => setEditing(false)} />}
      {isPlanning && <ScheduleDialog id={null} begun={ticket} onClose={() => setPlanning(false)} />}
    </section>
  )
}
