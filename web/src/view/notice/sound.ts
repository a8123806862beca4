// Two short tones, made by the browser itself: up for "needs you", down for "finished". No file is loaded.

import type { NoticeEvent } from "./prefs";

const TONES: Record<NoticeEvent, readonly number[]> = { needsYou: [660, 880], finished: [660, 495] };
const TONE_S = 0.11;
const LOUD = 0.08;

let audio: AudioContext | undefined;

/** Some browsers let a page make sounds only if it began to while somebody pressed something. */
export function allowSound(): void {
  try {
    audio ??= new AudioContext();
    void audio.resume();
  } catch {
    // Then there is no sound here, and the settings say so.
  }
}

/** True if it was heard. A browser makes no sound before somebody has pressed something on the page. */
export async function play(event: NoticeEvent): Promise<boolean> {
  try {
    audio ??= new AudioContext();
    if (audio.state === "suspended") await Promise.race([audio.resume(), new Promise((done) => setTimeout(done, 300))]);
    if (audio.state !== "running") return false;
    let at = audio.currentTime + 0.01;
    for (const hertz of TONES[event]) {
      const tone = audio.createOscillator();
      const volume = audio.createGain();
      tone.frequency.value = hertz;
      // In and out softly: a tone that is cut clicks.
      volume.gain.setValueAtTime(0, at);
      volume.gain.linearRampToValueAtTime(LOUD, at + 0.015);
      volume.gain.exponentialRampToValueAtTime(0.0001, at + TONE_S);
      tone.connect(volume).connect(audio.destination);
      tone.start(at);
      tone.stop(at + TONE_S);
      at += TONE_S;
    }
    return true;
  } catch {
    return false;
  }
}
