"""The rules that the game around a rulebook refers to, by what they are about and never by their numbers.

A rulebook fills this in as `NAMED`; one without such a rule leaves the name empty, which is the key of nothing.
"""

from __future__ import annotations

from referee.core.frozen import frozen


@frozen
class NamedRules:
    """The keys of rules, and of chapters where no one rule is meant, by what they are about."""

    energy: str = ""
    """Energy allocation, as a chapter."""
    sequence: str = ""
    """Each thing in its step of the sequence of play."""
    forms_due: str = ""
    """A turn is not played without forms."""
    turns_in_order: str = ""
    """Turns and impulses follow each other."""
    steps_in_order: str = ""
    """Steps are not passed over."""
    orders_in_order: str = ""
    """What a ship orders comes in the order of steps: its speed before its moves."""
    damage_control: str = ""
    """What is marked as mended is paid for."""

    movement: str = ""
    """Movement, as a chapter."""
    move_continues: str = ""
    """A move begins where the last one ended."""
    ahead: str = ""
    """A move goes where the ship heads."""
    order_of_movement: str = ""
    """Who moves before whom."""
    sealed_move: str = ""
    """A sealed move is the one made."""
    called: str = ""
    """The impulses that call a ship to move."""
    move_missed: str = ""
    """A called ship moves."""
    turns: str = ""
    """How a ship turns, as the chapter that all rules on it stand under."""

    fire: str = ""
    """Direct fire, as a chapter."""
    dice: str = ""
    """A die for each weapon."""
    sealed_fire: str = ""
    """Sealed fire is the fire declared."""
    declared_once: str = ""
    """A weapon is declared once."""
    firing_tables: str = ""
    """What a weapon scores."""
    shield_struck: str = ""
    """Fire strikes the shield that faces it, whatever was said."""
    fired_before: tuple[str, ...] = ()
    """The rules that hold a shot against an earlier one of its weapon."""
    overfired: tuple[str, ...] = ()
    """The rules that a ship breaks whose phasers fire more points than they have."""
    capacitor: str = ""
    """The charge of the capacitor."""

    absorbed: str = ""
    """Shields absorb before the inside."""
    volley: str = ""
    """What strikes one shield in one impulse is one volley."""
    owner_picks: str = ""
    """The owner picks the box."""
    destroyed: str = ""
    """Excess damage destroys a ship."""
    lost_with_guide: str = ""
    """Drones die with the ship that guides them."""
    damage: str = ""
    """Damage, as what the keys of all rules on it begin with."""

    lock_on: str = ""
    """Lock-on by sensor rating."""
    lost_with_lock: str = ""
    """Drones are lost with lock-on."""
    lock_on_tried: str = ""
    """Lock-on is tried while drones are out."""
    controlled: str = ""
    """Sensors control so many drones."""
    later: frozenset[str] = frozenset()
    """Rules that records were not held against from the beginning."""

    seekers: str = ""
    """How seekers move."""
    seeker_course: str = ""
    """A seeker follows its target."""
    seeker_destroyed: str = ""
    """Points that destroy a drone."""
    seeker_endurance: str = ""
    """How far a seeker goes."""

    cloak: str = ""
    """The cloak, as a chapter."""
    cloak_paid: str = ""
    """The cloak is paid for."""
    fades: tuple[str, ...] = ()
    """The rules by which a ship that fades is harder to hit."""
