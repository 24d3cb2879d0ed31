import { Drawer } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useEffect, useState } from 'react'
import { useBackCloses } from '../../../ui/back-closes.ts'
import classes from './drawer.module.css'

interface Props {
  isOpen: boolean
  title: string
  /** What closes it. */
  cross: ReactNode
  onClose(): void
  children: ReactNode
}

/** The contact over the conversation, a whole screen on a phone. Of its own, since wide screens never need it. */
export default function DrawerOver({ isOpen, title, cross, onClose, children }: Props) {
  const isPhone = useMediaQuery('(max-width: 600px)', undefined, { getInitialValueInEffect: false })
  // mounted closed and opened afterwards: so it records the previous focus, and restores it
  const [opened, setOpened] = useState(false)
  useEffect(() => setOpened(isOpen), [isOpen])
  useBackCloses(isOpen, onClose)
  return (
    <Drawer.Root opened={opened} onClose={onClose} position="right" size={isPhone ? '100%' : 340}>
      <Drawer.Overlay />
      <Drawer.Content>
        <div className={classes.over}>
          <header className={classes.head}>
            <Drawer.Title className={classes.title}>{title}</Drawer.Title>
            {cross}
          </header>
          {children}
        </div>
      </Drawer.Content>
    </Drawer.Root>
  )
}
