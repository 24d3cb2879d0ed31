import type { SimulatedMessage } from '@balcao/contract/simulator.ts'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { PhoneBubble } from './phone-bubble.tsx'

const poll: SimulatedMessage = {
  ...{ id: 'P1', fromMe: true, body: 'Que dia?', mediaUrl: null, mediaType: 'poll', media: null },
  dataJson: JSON.stringify({ choices: ['Sexta', 'Sábado'], isMultiple: true, votes: [] }),
  ...{
    quotedId: null,
    reactions: [],
    isForwarded: false,
    isDeleted: false,
    isPinned: false,
    isEdited: false,
  },
  ...{ ack: 2, createdAt: '2026-11-29T12:00:00.000Z' },
}

test('a vote in a poll is not changed before it is shown', async () => {
  const voted: number[][] = []
  const { promise: shown, resolve: show } = Promise.withResolvers<void>()
  const none = () => {}
  const onVote = (choices: number[]) => {
    voted.push(choices)
    return shown
  }
  const acts = { onHold: none, onReact: none, onRemove: none, onChoose: none, onVote }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider>
        <PhoneBubble message={poll} quoted={undefined} {...acts} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Sexta' }))
  fireEvent.click(screen.getByRole('button', { name: 'Sábado' }))
  expect(voted).toEqual([[0]])
  show()
  await waitFor(() =>
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Sábado' }).disabled).toBe(false),
  )
})
